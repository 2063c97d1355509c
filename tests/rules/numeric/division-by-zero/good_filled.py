import numpy as np

counts = np.zeros(4)
for i in range(4):
    counts[i] = i + 1.0
print(1 / counts)
hits = np.random.randint(0, 3, 4).astype('float32')
hits[hits == 0] = 1
print(1 / hits)
