import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(5, 1))
net(torch.ones(2, 3))
