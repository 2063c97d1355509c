import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, width=16, longest=64):
        super().__init__()
        self.embed = nn.Embedding(30, width)
        self.place = nn.Parameter(torch.randn(1, longest, width))
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)

    def forward(self, words):
        x = self.embed(words)
        x = x + self.place[:, :x.shape[1]]
        return self.attention(x, x, x)[0]


out = Tagger()(torch.randint(0, 30, (4, 12)))
