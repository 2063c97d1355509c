import numpy as np

image = np.random.rand(100, 100)
out = np.zeros((100, 100))
for i in range(100):
    for j in range(100):
        out[i, j] = np.exp(-image[i, j])
