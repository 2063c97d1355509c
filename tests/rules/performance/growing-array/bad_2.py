import numpy as np

rows = np.zeros((0, 3))
for i in range(10000):
    rows = np.concatenate([rows, np.ones((1, 3))])
