import torch
import torch.nn as nn
import torch.nn.functional as F

class U(nn.Module):
    def __init__(self):
        super().__init__()
        self.d1 = nn.Conv2d(3, 16, 3, padding=1)
        self.d2 = nn.Conv2d(16, 32, 3, padding=1)
        self.up = nn.ConvTranspose2d(32, 16, 2, stride=2)
        self.last = nn.Conv2d(16, 1, 1)
    def forward(self, x):
        a = F.relu(self.d1(x))
        b = F.relu(self.d2(F.max_pool2d(a, 2)))
        u = self.up(b)
        return self.last(torch.cat([u, a], 1))
U()(torch.rand(1, 3, 32, 32))
