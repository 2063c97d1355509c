import torch


def contrast(left, right, temperature=0.01):
    scores = torch.exp(left @ right.t() / temperature)
    own = torch.diag(scores)
    return -torch.log(own / scores.sum(dim=1)).mean()
