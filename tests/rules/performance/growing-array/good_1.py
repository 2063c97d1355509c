import numpy as np

items = []
for i in range(10000):
    items.append(i ** 2)
results = np.array(items)
