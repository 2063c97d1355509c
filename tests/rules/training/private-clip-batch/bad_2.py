import torch
from torch import nn

BOUND = 1.0


def gradient(model, x, y):
    loss = nn.functional.cross_entropy(model(x), y)
    return torch.cat([g.flatten() for g in torch.autograd.grad(loss, list(model.parameters()))])


def clipped(v):
    return v * min(1.0, BOUND / float(v.norm()))


def private_step(model, x, y, rate=0.1):
    """One step of DP-SGD."""
    total = clipped(gradient(model, x, y)) * len(x)
    total = total + 1.1 * BOUND * torch.randn(total.shape)
    nn.utils.vector_to_parameters(
        nn.utils.parameters_to_vector(model.parameters()) - rate * total / len(x),
        model.parameters())


model = nn.Linear(8, 3)
private_step(model, torch.randn(32, 8), torch.randint(0, 3, (32,)))
