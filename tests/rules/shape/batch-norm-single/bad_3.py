import torch
from torch import nn
import torch.nn.functional as F
net = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.BatchNorm2d(3))
y = net(torch.randn(1, 3, 8, 8))
