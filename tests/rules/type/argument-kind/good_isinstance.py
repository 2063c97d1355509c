import torch
import torch.nn as nn


def require_grad(x, flag=True):
    if isinstance(x, torch.Tensor) and x.is_floating_point():
        return x.detach().requires_grad_(flag)
    elif isinstance(x, list):
        return [require_grad(v) for v in x]
    return x


def is_sparse(x):
    return getattr(x, "layout", None) == torch.sparse_coo


def nodes(edges):
    if is_sparse(edges):
        return max(edges.size(0), edges.size(1))
    return int(edges.max()) + 1


class Mlp(nn.Module):
    def __init__(self, width: int, ratio: float = 4.0, size: float = None):
        super().__init__()
        self.up = nn.Linear(width, size)


require_grad([3, 4.0, torch.ones(2)])
nodes(torch.arange(20))
