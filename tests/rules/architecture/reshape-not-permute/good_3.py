import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 24)
        self.conv = nn.Conv1d(24, 32, 3)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = x.transpose(1, 2)
        return self.conv(x)


features = Encoder()(torch.randint(0, 100, (8, 15)))
