import random

import torch
from torch import nn


def rows(x):
    if random.random() > 0.5:
        x = torch.zeros(4, 9)
    else:
        x = torch.zeros(9)
    if x.dim() == 1:
        x = x.unsqueeze(0)
    return nn.Linear(9, 2)(x)


def by_width(x):
    x = torch.zeros(4, 9) if random.random() > 0.5 else torch.zeros(4, 8)
    if x.shape[1] == 9:
        return nn.Linear(9, 2)(x)
    elif x.size(1) == 8:
        return nn.Linear(8, 2)(x)


def by_mode(mode):
    if mode == "a":
        x = torch.zeros(4, 9)
    elif mode == "b":
        x = torch.zeros(4, 8)
    else:
        raise ValueError(mode)
    return {"a": nn.Linear(9, 2), "b": nn.Linear(8, 2)}[mode](x)


def caught():
    try:
        x = torch.zeros(4, 9) if random.random() > 0.5 else torch.zeros(4, 8)
        return nn.Linear(9, 2)(x)
    except RuntimeError:
        return None
