import torch
from torch import nn
import torch.nn.functional as F
y = torch.randn(3, 1).expand(3, 4)
