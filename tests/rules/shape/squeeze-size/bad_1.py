import numpy as np
y = np.squeeze(np.zeros((3, 4)), axis=1)
