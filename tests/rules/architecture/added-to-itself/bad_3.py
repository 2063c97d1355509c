import torch
import torch.nn.functional as F
from torch import nn


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.mlp = nn.Linear(16, 16)

    def forward(self, tokens):
        tokens = self.mlp(F.gelu(self.norm(tokens)))
        tokens = tokens + tokens
        return tokens


out = Mixer()(torch.randn(4, 10, 16))
