import numpy as np

x = np.random.rand(100, 3)
mean = x.mean(axis=0)
z = x - mean
