import torch
from torch import nn
import torch.nn.functional as F
m = torch.randn(2, 2) > 0
y = torch.zeros(2, 2).masked_fill(m, 0)
