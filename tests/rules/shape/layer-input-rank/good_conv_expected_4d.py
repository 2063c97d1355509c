import torch
import torch.nn as nn
import torch.nn.functional as F

conv = nn.Conv2d(1, 8, 3)
x = torch.randn(64, 784).view(-1, 1, 28, 28)
y = conv(x)
