import numpy as np

p = np.random.rand(10, 4)
c = np.argmax(p, axis=1)
