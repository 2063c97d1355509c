import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 1)
        self.second = nn.Linear(1, 4)

    def forward(self, x):
        return self.second(F.relu(self.first(x)))


net = Net()
loss = nn.CrossEntropyLoss()(net(torch.randn(8, 10)), torch.randint(0, 4, (8,)))
