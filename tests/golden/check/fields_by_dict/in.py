import json
import torch
from torch import nn


class Options:
    def __init__(self, size=10, hidden=None, **more):
        self.__dict__.update(locals())
        self.__dict__.update(more)

    def merge(self, values):
        vars(self).update(values)

    def load(self, path):
        self.__dict__ = json.load(open(path))


a = Options(11)
nn.Linear(a.size, 3)(torch.zeros(2, 12))  # 11 is not 12
b = Options(**{"hidden": 5}, depth=7)
nn.Linear(b.hidden, 3)(torch.zeros(2, b.depth))  # 5 is not 7
b.merge({"deep": dict(hidden=7)}["deep"])
nn.Linear(b.hidden, 3)(torch.zeros(2, b.depth))
a.load("options.json")
nn.Linear(a.size, 3)(torch.zeros(2, a.width))
