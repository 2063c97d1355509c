import numpy as np
import torch
from torch import nn


def divergence(y, network, physics):
    return physics.A(network(y + torch.randn_like(y), physics))


class Loss(nn.Module):
    def forward(self, y, physics, model):
        return divergence(y, model, physics)  # a model, though forward() mostly takes tensors


class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("gain", torch.tensor(1.0))

    def forward(self, x):
        return x * self.gain[(...,) + (None,) * (x.dim() - 1)]


count = np.prod((3, 4))
torch.FloatTensor(count).reshape(3, 4)  # a number of numpy is a size, not data
