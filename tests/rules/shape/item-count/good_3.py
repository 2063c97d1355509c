import torch
from torch import nn
import torch.nn.functional as F
p = torch.softmax(torch.randn(1, 5), dim=1)
v = p.max().item()
