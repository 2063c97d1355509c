import torch
from torch import nn
import torch.nn.functional as F
class N(nn.Module):
    def __init__(self, n):
        nn.Module.__init__(self)
        self.w = nn.Parameter(torch.zeros(n))
N(3)
