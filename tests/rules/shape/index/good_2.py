import numpy as np
x = np.zeros((3, 4, 5))
y = x[0, 0, 0]
