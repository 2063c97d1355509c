import numpy as np
a = np.zeros((10 / 2, 3))
