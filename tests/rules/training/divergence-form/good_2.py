import torch


def divergence(mean, logstd):
    return -0.5 * (1 + 2 * logstd - mean**2 - torch.exp(logstd) ** 2).sum(1).mean()
