from torch import nn


class Attention(nn.Module):
    def __init__(self, attention, rate):
        super().__init__()
        self.attention = attention
        self.dropout_p = rate

    def forward(self, q, k, v):
        rate = self.dropout_p if self.training else 0
        return self.attention(q, k, v, rate)
