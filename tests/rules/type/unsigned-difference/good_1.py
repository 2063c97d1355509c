import numpy as np
a = np.zeros(3, np.int16)
b = np.ones(3, np.int16)
d = np.abs(a - b)
