import torch
import torch.nn as nn


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(4, 2), nn.Linear(4, 2)])
        self.eval()

    def forward(self, x):
        out = []
        for head in self.heads:
            out.append(head(x))
        return torch.cat(out, 1)


net = Heads()
y = net(torch.rand(3, 4))
