import numpy as np
w, v = np.linalg.eig(np.ones((2, 3)))
