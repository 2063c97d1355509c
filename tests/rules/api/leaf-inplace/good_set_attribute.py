import torch
from torch import nn

layer = nn.Linear(4, 2)
layer.weight.requires_grad = False
layer.weight.copy_(torch.zeros(2, 4))
layer.weight.requires_grad = True
offsets = torch.zeros(3, requires_grad=True)
offsets.requires_grad = False
offsets.add_(1)
