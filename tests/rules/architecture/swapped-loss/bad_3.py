import torch
from torch import nn

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1), nn.Sigmoid())
criterion = nn.BCELoss()
for x, labels in batches:
    loss = criterion(labels, net(x))
    loss.backward()
