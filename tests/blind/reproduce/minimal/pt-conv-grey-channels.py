import torch
from torch import nn

nn.Conv2d(3, 8, 3, padding=1)(torch.zeros(1, 1, 20, 20))
