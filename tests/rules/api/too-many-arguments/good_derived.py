import torch.nn as nn


class Base:
    def __init__(self):
        self.items = []

    @classmethod
    def load(cls, *args):
        if len(args) == 1 and isinstance(args[0], tuple):
            return cls(*args[0])
        return cls(args[0], special=True)


class Plain(nn.Module):
    def forward(self, x):
        return x


class Scaled(Plain):
    def __init__(self, depth=0):
        super().__init__()


def create(kind=Plain, depth=1):
    options = {}
    if issubclass(kind, Scaled):
        options["depth"] = depth
    return kind(**options)


create()
transformer = nn.Transformer(d_model=8, nhead=2)


def forward(src, tgt, src_mask, tgt_mask):
    return transformer(src, tgt, src_mask, tgt_mask, None, src_mask, tgt_mask)
