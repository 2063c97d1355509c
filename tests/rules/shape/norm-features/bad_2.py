import torch
from torch import nn
import torch.nn.functional as F
y = nn.LayerNorm(10)(torch.randn(2, 12))
