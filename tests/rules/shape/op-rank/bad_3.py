import torch
from torch import nn
import torch.nn.functional as F
y = torch.bmm(torch.randn(3, 4), torch.randn(4, 5))
