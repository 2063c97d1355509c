import torch
import torch.nn.functional as F
from torch import nn


class Sampler(nn.Module):
    """Monte Carlo dropout: several answers, and how far they differ."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(20, 64)
        self.b = nn.Linear(64, 1)

    def forward(self, x):
        return self.b(F.dropout(torch.relu(self.a(x)), 0.5))


net = Sampler()
net.eval()
print(torch.stack([net(torch.randn(4, 20)) for _ in range(50)]).std(dim=0))
