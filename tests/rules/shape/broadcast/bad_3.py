import torch


def residual(x, y):
    return x + y


residual(torch.zeros(1, 64, 8, 8), torch.zeros(1, 64, 4, 4))
