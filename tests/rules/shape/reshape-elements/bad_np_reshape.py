import numpy as np
x = np.zeros((60000, 28, 28))
x = x.reshape(60000, 32, 32)
