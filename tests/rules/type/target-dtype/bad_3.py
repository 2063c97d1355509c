import torch
from torch import nn
import torch.nn.functional as F
l = F.nll_loss(torch.randn(2, 3), torch.zeros(2).int())
