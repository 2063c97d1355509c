import torch
from torch import nn
keep_prob = 0.9
class N(nn.Module):
    def __init__(self, keep_rate=0.8):
        super().__init__()
        self.d = nn.Dropout(keep_rate)
N()
