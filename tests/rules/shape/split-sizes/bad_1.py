import numpy as np
a = np.split(np.zeros(10), 3)
