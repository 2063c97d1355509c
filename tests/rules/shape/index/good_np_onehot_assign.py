import numpy as np

y = np.random.randint(0, 10, 50)
h = np.zeros((50, 10))
h[np.arange(50), y] = 1
