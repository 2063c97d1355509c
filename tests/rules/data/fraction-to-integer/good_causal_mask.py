import numpy as np
import torch

mask = np.triu(np.ones((1, 5, 5)), k=1)
mask = torch.from_numpy(mask).byte()
keep = torch.from_numpy(1 - np.triu(np.ones((5, 5)), k=1)).long()

onehot = np.zeros((4, 3))
for i in range(4):
    onehot[i, i % 3] = 1
labels = onehot.astype(np.int64)
