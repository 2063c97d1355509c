import torch
from torch import nn
import torch.nn.functional as F
y = F.pad(torch.randn(2, 2), (1, 1, 1, 1))
