import math
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, longest=1000):
        super().__init__()
        position = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        table = torch.zeros(longest, 1, width)
        table[:, 0, 0::2] = torch.sin(position * rate)
        table[:, 0, 1::2] = torch.cos(position * rate)
        self.register_buffer("table", table)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        x = x + self.table[:x.size(0)]
        return self.dropout(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 32)
        self.positions = Positions(32)
        layer = nn.TransformerEncoderLayer(32, nhead=4, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)

    def forward(self, tokens):
        return self.encoder(self.positions(self.embed(tokens)))


out = Model()(torch.randint(0, 50, (8, 20)))
