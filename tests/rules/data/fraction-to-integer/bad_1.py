import numpy as np

picture = np.random.rand(32, 32)
stored = picture.astype(np.uint8)
