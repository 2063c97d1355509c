import numpy as np
w = np.random.randn(784, 128)
x = np.random.randn(64, 28, 28)
y = np.dot(x.reshape(64, -1), w.T)
