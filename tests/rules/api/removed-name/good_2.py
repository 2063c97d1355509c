import numpy as np
y = np.array([1, 2]).astype(int)
