import torch
from torch import nn
import torch.nn.functional as F
a = nn.MultiheadAttention(16, 4)
y, w = a(torch.randn(5, 2, 12), torch.randn(5, 2, 16), torch.randn(5, 2, 16))
