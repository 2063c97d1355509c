import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = nn.Linear(20, 20)
        self.out = nn.Linear(20, 2)

    def forward(self, x):
        h = torch.relu(self.wide(x))
        return self.out(x)


print(Net()(torch.randn(4, 20)).shape)
