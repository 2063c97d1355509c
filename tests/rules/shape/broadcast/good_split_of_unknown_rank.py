import torch
import torch.nn as nn


class Gates(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.R = nn.Linear(2 * size, 6 * size, bias=False)
        self.size = size

    def forward(self, hidden):
        a, b, c, d, e, f = torch.split(self.R(hidden), self.size, dim=1)
        return a + torch.zeros(1, 448)


Gates(448)
