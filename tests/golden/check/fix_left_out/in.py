import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(8, 16), nn.Linear(12, 3))
x = torch.stack([net(torch.ones(1, 8))])
y = x @ torch.ones(4, 4)
