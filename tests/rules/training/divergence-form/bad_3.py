import torch


def divergence(mu, log_var):
    return -0.5 * torch.mean(1 + log_var + mu**2 - torch.exp(log_var))
