import torch.nn as nn
from tools import configurable


class Head(nn.Module):
    @configurable
    def __init__(self, width):
        super().__init__()
        self.width = width


class OtherHead(Head):
    def __init__(self, width, **kwargs):
        super().__init__(width=width, **kwargs)
        self.score = nn.Conv2d(width, 1, 3)
