import numpy as np
x = np.random.rand(5, 2)
d = np.linalg.det(x.T @ x)
