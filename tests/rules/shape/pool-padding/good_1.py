import torch
from torch import nn
import torch.nn.functional as F
p = nn.MaxPool2d(2, padding=1)
y = p(torch.randn(1, 1, 8, 8))
