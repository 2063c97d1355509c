import numpy as np
y = np.squeeze(np.zeros((3, 1)), axis=1)
