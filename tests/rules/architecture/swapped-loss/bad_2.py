import torch
from torch import nn

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1), nn.Sigmoid())
criterion = nn.BCELoss()
x, y = torch.rand(64, 10), torch.ones(64, 1)
loss = criterion(y, net(x))
loss.backward()
