import torch
from torch import nn

points = torch.rand(30)
column = points.unsqueeze(1)
distances = (column - points).abs()  # of all pairs
net = nn.Linear(3, 1)
x = torch.rand(30, 3)
error = (net(x).squeeze(1) - points).pow(2).mean()
gaps = net(x) - net(x).squeeze(1)  # all pairs of outputs
