import torch
from torch import nn
import torch.nn.functional as F
w = torch.randn(8, 5)
y = F.linear(torch.randn(1, 5), w, torch.zeros(5))
