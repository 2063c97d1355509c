import torch
from torch import nn
import torch.nn.functional as F
v, i = torch.randn(3).topk(5)
