import torch
from torch import nn
import torch.nn.functional as F
y = torch.randn(2, 3, 4).transpose(1, 2).reshape(2, 12)
