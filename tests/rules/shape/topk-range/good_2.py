import torch
from torch import nn
import torch.nn.functional as F
v, i = torch.topk(torch.randn(8, 4), 4)
