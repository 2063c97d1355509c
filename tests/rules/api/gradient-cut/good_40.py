import torch


def compute(model, loss_fn, x, y, normalize):
    losses = loss_fn(model(x), y)
    total = losses.sum()
    total = total / normalize.float()
    total.backward()
    return total.item()
