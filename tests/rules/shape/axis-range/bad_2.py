import numpy as np
x = np.mean(np.zeros((2, 3)), axis=2)
