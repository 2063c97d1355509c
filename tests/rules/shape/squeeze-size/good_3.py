import numpy as np
x = np.ones((1, 2))
y = np.squeeze(x, axis=0)
