import numpy as np

x = np.random.rand(100, 3)
mean = x.mean(axis=1)
z = x - mean
