import torch
import torch.nn.functional as F


def vae_loss(x, back, mu, logvar):
    rebuilt = F.binary_cross_entropy(back, x, reduction="sum")
    kl = 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return rebuilt + kl
