import torch
from torch import nn
import torch.nn.functional as F
x = torch.randn(4, 5)
y = x.masked_fill(torch.zeros(4, 5).bool(), 0)
