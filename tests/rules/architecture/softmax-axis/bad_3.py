import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.softmax = nn.Softmax(dim=-2)

    def forward(self, x):
        weights = self.softmax(self.q(x) @ self.k(x).transpose(-2, -1))
        return weights @ self.v(x)


y = Attention(8)(torch.randn(3, 5, 8))
