import torch
from torch import nn


class Pool(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(size, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        a = torch.softmax(self.score(x), dim=1)
        return torch.sum(x * a, dim=1)


pool = Pool(12)
pooled = pool(features)
