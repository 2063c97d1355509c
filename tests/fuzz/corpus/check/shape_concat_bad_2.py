import numpy as np
a = np.zeros((5, 2))
b = np.zeros((4, 2))
c = np.concatenate((a, b), axis=1)
