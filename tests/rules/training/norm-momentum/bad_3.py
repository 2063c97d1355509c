from torch import nn

BN_MOMENTUM = 0.99


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.line = nn.Linear(width, width)
        self.norm = nn.BatchNorm1d(width, eps=1e-3, momentum=BN_MOMENTUM)

    def forward(self, x):
        return self.norm(self.line(x))


Block(8)
