import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 16)
        self.b = nn.Linear(16, 3)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


net = Net()
for p in net.parameters():
    p.data.fill_(0.01)
print(net(torch.randn(2, 4)))
