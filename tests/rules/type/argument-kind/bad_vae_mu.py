import torch
import torch.nn as nn
import torch.nn.functional as F

class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 8)
        self.mu = nn.Linear(8, 2)
        self.lv = nn.Linear(8, 2)
        self.out = nn.Linear(2, 10)
    def encode(self, x):
        h = F.relu(self.fc(x))
        return self.mu(h), self.lv(h)
    def forward(self, x):
        z = self.encode(x)
        return self.out(z)
VAE()(torch.rand(4, 10))
