import numpy as np
a = np.split(np.ones((4, 6)), 4, axis=1)
