import torch
from torch import nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.second = nn.Linear(16, 3)

    def forward(self, x):
        x = self.first(x)
        F.relu(x)
        return self.second(x)


print(Head()(torch.randn(4, 8)))
