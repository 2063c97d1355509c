import numpy as np
a = np.split(np.ones((4, 6)), 3, axis=1)
