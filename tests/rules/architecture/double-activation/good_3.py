import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
loss = nn.CrossEntropyLoss()(net(torch.rand(16, 8)), torch.randint(0, 2, (16,)))
