import torch
from torch import nn
import torch.nn.functional as F
s = torch.randn(2, 4, 6, 6)
y = s.masked_fill(torch.ones(2, 6).bool(), -1e9)
z = torch.randn(3, 3).masked_fill(torch.ones(2, 3).bool(), 0)
