import numpy as np
y = np.zeros((2, 1, 5)).squeeze(axis=2)
