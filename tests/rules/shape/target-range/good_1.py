import torch
from torch import nn
import torch.nn.functional as F
l = F.cross_entropy(torch.randn(4, 3), torch.randint(0, 3, (4,)))
