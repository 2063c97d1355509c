import torch
from torch import nn
import torch.nn.functional as F
y = F.linear(torch.randn(6, 2), torch.randn(10, 2), bias=torch.randn(2))
