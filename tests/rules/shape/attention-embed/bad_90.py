import torch
from torch import nn

net = nn.Transformer(d_model=32, nhead=4)
out = net(torch.randn(7, 6, 32), torch.randn(9, 5, 32))
