import torch
from torch import nn

device = torch.device('cuda')
net = nn.Linear(8, 2)
net.to(device)
x = torch.rand(4, 8)
x.to(device)
print(net.weight.shape, x)
