import torch


def scores(q, k):
    return torch.matmul(q, k)


scores(torch.rand(2, 5, 64), torch.rand(2, 5, 64))
