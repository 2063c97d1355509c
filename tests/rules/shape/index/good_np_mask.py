import numpy as np

x = np.random.rand(100, 3)
y = np.random.randint(0, 2, 100)
z = x[y == 1]
