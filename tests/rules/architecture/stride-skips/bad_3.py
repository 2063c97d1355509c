import torch
from torch import nn


class Ear(nn.Module):
    def __init__(self, step=8):
        super().__init__()
        self.conv = nn.Conv1d(1, 16, 5, stride=step)
        self.pool = nn.MaxPool1d(2, stride=3)

    def forward(self, x):
        return self.pool(torch.relu(self.conv(x)))


Ear()(torch.randn(2, 1, 400))
