import numpy as np
a = np.zeros((2, 2), dtype='uint16')
d = np.square(a + a)
