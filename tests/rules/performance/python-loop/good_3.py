import numpy as np

image = np.random.rand(100, 100)
out = np.exp(-image)
