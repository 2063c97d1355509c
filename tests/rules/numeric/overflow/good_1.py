import numpy as np

income = np.random.uniform(1e4, 1e5, (100,)).astype('float32')
