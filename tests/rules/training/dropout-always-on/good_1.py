import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(20, 64)
        self.b = nn.Linear(64, 3)

    def forward(self, x):
        x = F.dropout(torch.relu(self.a(x)), 0.5, training=self.training)
        return self.b(x)


net = Net()
net.eval()
print(net(torch.randn(4, 20)).argmax(1))
