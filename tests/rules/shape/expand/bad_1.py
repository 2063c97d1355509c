import torch
from torch import nn
import torch.nn.functional as F
y = torch.randn(3, 2).expand(3, 4)
