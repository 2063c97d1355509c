import numpy as np
rows, cols = np.zeros((3, 4, 5)).shape
