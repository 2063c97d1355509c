import torch
import torch.nn as nn
net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.Conv2d(16, 8, 3))
net(torch.zeros(2, 3, 32, 32))
