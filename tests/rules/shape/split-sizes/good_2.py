import numpy as np
a = np.split(np.zeros((8, 2)), 2)
