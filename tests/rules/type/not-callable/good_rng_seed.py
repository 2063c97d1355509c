import numpy as np
import torch.nn as nn


class Env:
    def __init__(self, seed=0):
        self.rng = np.random.RandomState(seed)
        self.ops = [np.sin, np.cos]

    def seed(self, seed=None):
        self.rng.seed(seed)

    def augment(self, x, ops, n=2):
        for op in np.random.choice(ops, n, replace=True):
            x = op(x)
        return x


def init(conv: nn.Module):
    for layer in conv.modules():
        if isinstance(layer, nn.Conv2d):
            nn.init.xavier_uniform_(layer.weight)


Env().seed(3)
init(nn.ModuleList([nn.Conv2d(3, 8, 3)]))
