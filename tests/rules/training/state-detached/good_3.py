import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(8, 16)

    def forward(self, x):
        h, c = torch.zeros(len(x), 16), torch.zeros(len(x), 16)
        for t in range(x.shape[1]):
            h, c = self.cell(x[:, t], (h, c))
        return h


y = Memory()(torch.randn(4, 6, 8))
