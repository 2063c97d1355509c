import torch
import torch.nn as nn
import torch.nn.functional as F

class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 2)])
    def forward(self, x):
        for l in self.layers:
            x = l(x)
        return x
N()(torch.randn(1, 4))
