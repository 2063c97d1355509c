import numpy as np

rows = []
for i in range(10):
    rows.append(np.zeros(3))
print(rows.shape)
