import torch


def f(x):
    b, t = x.size()
    return t


f(torch.zeros(1, 2))
