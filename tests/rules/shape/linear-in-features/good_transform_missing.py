import torch
import torch.nn as nn
import torch.nn.functional as F

import torchvision
from torchvision import transforms
data = torchvision.datasets.MNIST('d', train=True, transform=transforms.ToTensor())
loader = torch.utils.data.DataLoader(data, batch_size=32)
net = nn.Sequential(nn.Linear(784, 10))
for x, y in loader:
    out = net(x.view(x.size(0), -1))
    loss = F.cross_entropy(out, y)
