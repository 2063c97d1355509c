import torch
from torch import nn
import torch.nn.functional as F
w = torch.randn(3, requires_grad=True)
(w * 2).backward()
