import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(3), nn.ReLU())
net(torch.randn(2, 3, 8, 8))
