import torch
from torch import nn
import torch.nn.functional as F
y = F.linear(torch.randn(2, 3), torch.randn(4, 3), torch.randn(4))
