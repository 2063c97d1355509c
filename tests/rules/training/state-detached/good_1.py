import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(8, 16)
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        state = torch.zeros(len(x), 16)
        for t in range(x.shape[1]):
            state = self.cell(x[:, t], state)
        return self.out(state)


y = Memory()(torch.randn(4, 6, 8))
