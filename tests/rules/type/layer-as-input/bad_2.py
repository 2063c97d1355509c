import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.second = nn.Linear(16, 2)

    def forward(self, x):
        x = F.relu(self.first)
        return self.second(x)


Net()(torch.zeros(4, 8))
