import torch
import torch.nn.functional as F
from torch import nn


def dp_sgd(model, x, y, steps, bound, sigma, lr):
    for _ in range(steps):
        model.zero_grad()
        F.cross_entropy(model(x), y).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), bound)
        with torch.no_grad():
            for p in model.parameters():
                noise = torch.normal(0.0, sigma * bound, p.shape)
                p -= lr * (p.grad + noise)


dp_sgd(nn.Linear(10, 2), torch.randn(100, 10), torch.randint(0, 2, (100,)), 20, 1.0, 1.1, 0.05)
