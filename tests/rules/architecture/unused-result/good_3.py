import torch
from torch import nn


class Skip(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(12)
        self.inner = nn.Linear(12, 12)

    def forward(self, x):
        n = self.norm(x)
        return x + torch.relu(self.inner(n))


model = Skip()
sample = torch.randn(2, 12)
model(sample)  # once, to see that it works
print(model(sample).shape)
