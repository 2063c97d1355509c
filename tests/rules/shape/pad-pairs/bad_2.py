import torch
from torch import nn
import torch.nn.functional as F
y = F.pad(torch.randn(4), (1, 1, 2, 2))
