import torch
import torch.nn as nn
import torch.nn.functional as F

from torch.utils.data import Dataset, DataLoader
class D(Dataset):
    def __init__(self):
        self.x = torch.randn(64, 5)
        self.y = torch.randn(64, 1).double()
    def __len__(self):
        return 64
    def __getitem__(self, i):
        return self.x[i], self.y[i]
net = nn.Linear(5, 1)
for x, y in DataLoader(D(), batch_size=8):
    loss = nn.MSELoss()(net(x), y)
    loss.backward()
