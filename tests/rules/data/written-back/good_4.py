import numpy as np, torch
from torch.utils.data import Dataset
class D(Dataset):
    def __init__(self):
        self.x = np.random.rand(10, 5).astype(np.float32)
        self.y = np.random.randint(1, 4, 10)
    def __len__(self):
        return 10
    def __getitem__(self, i):
        x = self.x[i] * 2
        x -= 1
        y = self.y[i]
        y -= 1
        z = torch.from_numpy(x)
        z += 0.1
        return z, y
d = D()
print(d[0])
