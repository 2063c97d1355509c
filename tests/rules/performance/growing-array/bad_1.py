import numpy as np

results = np.zeros(0)
for i in range(10000):
    results = np.append(results, i ** 2)
