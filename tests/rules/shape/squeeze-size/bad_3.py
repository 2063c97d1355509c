import numpy as np
x = np.ones((4, 2))
y = np.squeeze(x, axis=0)
