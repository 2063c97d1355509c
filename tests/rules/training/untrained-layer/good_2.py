import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(8, 16)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        return self.head(torch.relu(self.encode(x)))

    def features(self, x):
        with torch.no_grad():
            return torch.relu(self.encode(x))
