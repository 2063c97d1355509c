import torch
import torch.nn as nn
import torch.nn.functional as F

import torchvision
from torchvision import transforms
data = torchvision.datasets.CIFAR10('d', train=True, transform=transforms.ToTensor())
loader = torch.utils.data.DataLoader(data, batch_size=32)
net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 28 * 28, 10))
for x, y in loader:
    loss = F.cross_entropy(net(x), y)
