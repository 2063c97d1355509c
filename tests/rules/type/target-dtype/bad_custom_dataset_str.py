import torch
import torch.nn as nn
import torch.nn.functional as F

from torch.utils.data import Dataset, DataLoader
class D(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 3)
        self.y = torch.randint(0, 2, (n,))
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return self.x[i], self.y[i]
model = nn.Linear(3, 1)
crit = nn.BCEWithLogitsLoss()
for x, y in DataLoader(D(64), batch_size=16):
    out = model(x).squeeze(1)
    loss = crit(out, y)
    loss.backward()
