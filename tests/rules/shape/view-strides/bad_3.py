import torch
from torch import nn
import torch.nn.functional as F
y = torch.randn(2, 3, 4, 5).permute(0, 2, 3, 1).view(2, -1)
