import torch


def scores(q, k):
    return torch.matmul(q, k.transpose(-2, -1))


scores(torch.rand(2, 5, 64), torch.rand(2, 5, 64))
