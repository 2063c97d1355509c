import numpy as np

x = np.random.normal(5.0, 2.0, (1000, 10))
x = (x - x.mean(axis=0)) / x.std(axis=0)
