import torch
from torch import nn
keep_prob = 0.9
class N(nn.Module):
    def __init__(self, rate=0.2):
        super().__init__()
        self.d = nn.Dropout(rate)
N()
