import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision
net = torchvision.models.resnet18()
net.fc = nn.Linear(2048, 10)
out = net(torch.randn(2, 3, 224, 224))
