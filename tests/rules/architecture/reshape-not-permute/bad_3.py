import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 24)
        self.conv = nn.Conv1d(24, 32, 3)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = x.view(x.size(0), x.size(2), x.size(1))
        return self.conv(x)


features = Encoder()(torch.randint(0, 100, (8, 15)))
