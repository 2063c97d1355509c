import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, attention, rate):
        super().__init__()
        self.attention = attention
        self.dropout_p = rate

    def forward(self, q, k, v):
        if self.training:
            causal = True
        else:
            causal = False
            self.dropout_p = 0
        return self.attention(q, k, v, self.dropout_p, causal)
