import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(16, 16) for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


y = Net()(torch.randn(2, 16))
