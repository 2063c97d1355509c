import torch
from torch import nn
import torch.nn.functional as F
y = F.pad(torch.randn(2, 3), (1, 1))
