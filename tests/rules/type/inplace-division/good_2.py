import numpy as np

counts = np.arange(12).reshape(3, 4)
counts //= 2
total = counts.sum()
total = total / 2
print(counts, total)
