import random

import torch
from torch import nn


def load(train):
    if train:
        return torch.zeros(16, 10), torch.zeros(16).long()
    return torch.zeros(16, 10, 1), torch.zeros(16).long()


x, y = load(random.random() < 0.8)
scores = nn.Linear(10, 2)(x)
