import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.gru = nn.GRU(width, width, num_layers=2, bidirectional=True, batch_first=True)
        self.one = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(4 * width, 3)

    def forward(self, x):
        words = self.embed(x)
        _, hidden = self.gru(words)
        _, last = self.one(words)
        last = last.view(x.size(0), -1)
        return self.out(hidden.permute(1, 0, 2).reshape(x.size(0), -1)), last
