import numpy as np

items = []
for i in range(10000):
    items.append(np.ones((1, 3)))
rows = np.concatenate(items)
