import numpy as np
x = np.ones((5, 1))
y = x[:, 0]
