import numpy as np

x = np.random.normal(1e6, 1.0, 1000).astype('float32')
variance = np.mean(x ** 2) - np.mean(x) ** 2
