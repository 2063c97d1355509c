import torch
from torch import nn

images = torch.rand(16, 32, 32, 3)
net = nn.Conv2d(3, 8, 3)
out = net(images.reshape(16, 3, 32, 32))
