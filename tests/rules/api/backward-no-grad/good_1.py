import torch
from torch import nn
import torch.nn.functional as F
torch.randn(3, requires_grad=True).sum().backward()
