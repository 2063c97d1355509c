import torch
from torch import nn
import torch.nn.functional as F
y, h = nn.GRU(4, 8)(torch.randn(5, 3, 4), torch.zeros(1, 3, 8))
