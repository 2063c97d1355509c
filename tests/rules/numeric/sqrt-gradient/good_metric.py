import torch


def rmse(predicted, wanted):
    return torch.sqrt(((predicted - wanted) ** 2).mean())
