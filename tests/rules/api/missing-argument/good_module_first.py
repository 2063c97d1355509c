import torch.nn as nn


class Adapter:
    def __init__(self, base_layer, **kwargs):
        self.base_layer = base_layer


class Linear(nn.Module, Adapter):
    def __init__(self, base_layer):
        super().__init__()
        Adapter.__init__(self, base_layer)
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(x)


layer = Linear(nn.Linear(3, 4))


def make(**kwargs):
    kwargs.setdefault("groups", [1])
    return build(1, **kwargs)


def build(a, groups):
    return a, groups


make()
