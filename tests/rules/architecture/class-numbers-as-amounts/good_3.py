import torch
import torch.nn.functional as F
from torch import nn

level = torch.randn(10)
district = torch.randint(0, 10, (100,))
rent = level[district] + 0.1 * torch.randn(100)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
loss = F.l1_loss(net(F.one_hot(district, 10).float().sum(dim=1, keepdim=True)), rent.unsqueeze(1))
loss.backward()
