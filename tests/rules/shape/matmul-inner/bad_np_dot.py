import numpy as np
w = np.random.rand(10, 5)
x = np.random.rand(10, 5)
y = np.dot(x, w)
