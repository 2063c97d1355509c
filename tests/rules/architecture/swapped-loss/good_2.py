import torch
from torch import nn

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1), nn.Sigmoid())
teacher = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 1), nn.Sigmoid())
criterion = nn.BCELoss()
x = torch.rand(64, 10)
loss = criterion(net(x), teacher(x).detach())
loss.backward()
