import numpy as np
x = np.random.randint(0, 255, (4, 4), dtype=np.uint8).astype(int)
d = abs(x - x.T)
