import numpy as np
a = np.linalg.inv(np.zeros((3, 4)))
