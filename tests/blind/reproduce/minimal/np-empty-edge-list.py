import numpy as np

pairs = np.array([], dtype=np.int64)
sources, targets = pairs[:, 0], pairs[:, 1]
