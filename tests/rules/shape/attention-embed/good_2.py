import torch
from torch import nn
import torch.nn.functional as F
a = nn.MultiheadAttention(8, 2, kdim=6, vdim=6)
y, w = a(torch.randn(5, 2, 8), torch.randn(5, 2, 6), torch.randn(5, 2, 6))
