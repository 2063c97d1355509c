import torch
from torch import nn
import torch.nn.functional as F
s = torch.randn(2, 4, 6, 6)
y = s.masked_fill(torch.ones(2, 1, 1, 6).bool(), -1e9)
