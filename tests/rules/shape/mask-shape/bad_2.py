import torch
from torch import nn
import torch.nn.functional as F
x = torch.randn(2, 3)
y = x.masked_select(torch.ones(3, 2).bool())
