import numpy as np
a = np.linalg.inv(np.eye(3))
