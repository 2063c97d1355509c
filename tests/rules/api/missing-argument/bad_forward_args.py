import torch
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
    def forward(self, x, mask):
        return self.fc(x) * mask
net = Net()
out = net(torch.randn(2, 4))
