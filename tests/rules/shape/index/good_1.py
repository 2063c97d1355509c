import numpy as np
x = np.zeros((3, 4))
y = x[2]
