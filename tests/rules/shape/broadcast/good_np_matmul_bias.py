import numpy as np

x = np.random.rand(32, 4)
w = np.random.rand(4, 8)
b = np.zeros((8,))
y = x @ w + b
