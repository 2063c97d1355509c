import torch


def scale(x, w):
    return x * w


scale(torch.zeros(4, 3), torch.zeros(4, 1))
