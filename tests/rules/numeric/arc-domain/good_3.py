import numpy as np
y = np.arccos(np.array([0.5, -0.5]))
