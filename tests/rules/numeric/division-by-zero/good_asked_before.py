import numpy as np
import torch
import torch.nn as nn


def cosine(a, b):
    a, b = np.abs(a), np.abs(b)
    na, nb = np.sqrt(np.sum(a * a)), np.sqrt(np.sum(b * b))
    if na == 0 or nb == 0:
        return 0.0
    return np.sum(a * b) / (na * nb)


print(cosine(np.random.rand(5), np.random.rand(5)))
counts = np.array([4, 10, 1, 0, 3])
shares = counts / np.sum(counts)
draws = np.random.normal(size=(4, 9))
policy = np.exp(draws) / np.sum(np.exp(draws), axis=0)


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(7))

    def forward(self, x):
        return x / (self.w + 1e-8)


Scale()(torch.randn(3, 7))
