import torch
from torch import nn
import torch.nn.functional as F
y = torch.randn(2, 3).permute(0, 2, 1)
