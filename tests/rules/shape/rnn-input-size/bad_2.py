import torch
from torch import nn
import torch.nn.functional as F
y, h = nn.GRU(4, 8, batch_first=True)(torch.randn(2, 7, 5))
