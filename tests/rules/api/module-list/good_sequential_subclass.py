import torch.nn as nn


class Chain(nn.Sequential):
    def forward(self, x, t):
        for layer in self:
            x = layer(x) + t
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList()
        for i in range(3):
            layers = [nn.Linear(4, 4), nn.Linear(4, 4)]
            self.blocks.append(Chain(*layers))

    def forward(self, x, t):
        for block in self.blocks:
            x = block(x, t)
        return x
