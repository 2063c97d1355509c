import numpy as np
a = np.zeros((32, 10))
b = np.zeros((10, 32))
c = a * b.T
