import torch
from torch import nn
import torch.nn.functional as F
a = nn.MultiheadAttention(64, 4, batch_first=True)
x = torch.randn(2, 7, 64)
y, w = a(x, x, x)
