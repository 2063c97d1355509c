import torch


def spread(x):
    return x.pow(2).mean(dim=0) - x.mean(dim=0).pow(2)


print(spread(torch.rand(100, 4)))
