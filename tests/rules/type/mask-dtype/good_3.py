import torch
from torch import nn
import torch.nn.functional as F
y = torch.randn(4).masked_fill(torch.zeros(4) == 0, -1e9)
