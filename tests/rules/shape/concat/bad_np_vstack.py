import numpy as np

a = np.zeros((3, 4))
b = np.zeros((3, 5))
c = np.vstack([a, b])
