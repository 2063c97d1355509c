import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 32)
        self.second = nn.Linear(32, 32)
        self.last = nn.Linear(32, 2)

    def forward(self, x):
        x = torch.relu(self.first(x))
        return self.last(x)


net = Net()
print(net(torch.rand(4, 10)))
