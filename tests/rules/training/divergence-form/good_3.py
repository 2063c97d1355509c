import torch


def divergence(mean, logstd, logvar):
    a = 0.5 * torch.sum(torch.exp(logvar) + mean**2 - 1.0 - logvar, 1)
    b = -0.5 * torch.sum(1 + 2 * logstd - torch.pow(mean, 2) - torch.exp(2 * logstd), 1)
    return a + b
