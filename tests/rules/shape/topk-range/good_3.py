import torch
from torch import nn
import torch.nn.functional as F
v, i = torch.randn(10, 3).topk(5, dim=0)
