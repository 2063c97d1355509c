import torch


def spread(x):
    return x.var(dim=0)


print(spread(torch.rand(100, 4)))
