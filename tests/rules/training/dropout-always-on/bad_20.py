import torch.nn.functional as F
from torch import nn


class Projection(nn.Module):
    def __init__(self, width, rate):
        super().__init__()
        self.out = nn.Linear(width, width)
        self.rate = rate

    def forward(self, words):
        words = self.out(words)
        if self.rate > 0.0:
            words = F.dropout(words, p=self.rate)
        return words
