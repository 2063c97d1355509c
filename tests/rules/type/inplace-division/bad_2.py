import numpy as np

counts = np.arange(12).reshape(3, 4)
counts /= 2
print(counts)
