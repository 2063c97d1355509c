import torch
from torch import nn
x = torch.randn(6, 10, 3)
out, h = nn.GRU(3, 8)(x)
y = out[:, -1, :]
