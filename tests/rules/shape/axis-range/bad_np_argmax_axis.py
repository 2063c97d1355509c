import numpy as np

p = np.random.rand(10)
c = np.argmax(p, axis=1)
