import torch
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
    def forward(self, x):
        x = self.fc(x)
net = Net()
out = net(torch.randn(3, 4))
loss = out.mean()
