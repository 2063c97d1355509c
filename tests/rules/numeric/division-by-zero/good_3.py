import numpy as np
x = np.array([[1, 1], [2, 3]])
y = 1 / x
