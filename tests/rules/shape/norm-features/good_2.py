import torch
from torch import nn
import torch.nn.functional as F
y = nn.LayerNorm(12)(torch.randn(2, 12))
