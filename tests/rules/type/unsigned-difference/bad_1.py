import numpy as np
a = np.zeros(3, np.uint8)
b = np.ones(3, np.uint8)
d = np.abs(a - b)
