import torch
from torch import nn
import torch.nn.functional as F
a = nn.MultiheadAttention(8, 2)
y, w = a(torch.randn(5, 2, 8), torch.randn(5, 2, 6), torch.randn(5, 2, 6))
