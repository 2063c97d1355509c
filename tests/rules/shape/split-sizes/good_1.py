import numpy as np
a = np.split(np.zeros(9), 3)
