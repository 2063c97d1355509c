import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.gru = nn.GRU(width, width, num_layers=2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(4 * width, 3)

    def forward(self, x):
        _, hidden = self.gru(self.embed(x))
        return self.out(hidden.view(x.size(0), -1))
