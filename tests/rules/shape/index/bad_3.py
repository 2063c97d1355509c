import numpy as np
x = np.ones(5)
y = x[:, 0]
