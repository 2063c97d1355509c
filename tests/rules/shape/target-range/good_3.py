import torch
from torch import nn
import torch.nn.functional as F
l = F.nll_loss(F.log_softmax(torch.randn(8, 10), 1), torch.randint(0, 10, (8,)))
