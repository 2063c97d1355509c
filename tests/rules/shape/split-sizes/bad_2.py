import numpy as np
a = np.split(np.zeros((7, 2)), 2)
