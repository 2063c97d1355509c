import torch
from torch import nn

net = nn.Linear(10, 1)
x, y = torch.rand(64, 10), torch.rand(64, 1)
loss = nn.functional.mse_loss(y, net(x))
loss.backward()
