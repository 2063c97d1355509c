import torch
from torch import nn
import torch.nn.functional as F
v, i = torch.randn(5).topk(3)
