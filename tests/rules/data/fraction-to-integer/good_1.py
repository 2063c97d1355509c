import numpy as np

picture = np.random.rand(32, 32)
stored = (255 * picture).astype(np.uint8)
