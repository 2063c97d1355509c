import numpy as np

xs = np.array([])
for i in range(4):
    xs.append(i)
