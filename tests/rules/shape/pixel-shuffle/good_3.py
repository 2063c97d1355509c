import torch
from torch import nn
import torch.nn.functional as F
net = nn.Sequential(nn.Conv2d(3, 12, 3), nn.PixelShuffle(2))
y = net(torch.randn(1, 3, 8, 8))
