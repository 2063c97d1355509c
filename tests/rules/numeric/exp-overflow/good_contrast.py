import torch
import torch.nn.functional as F


def contrast(left, right, temperature=0.1):
    left, right = F.normalize(left, dim=1), F.normalize(right, dim=1)
    scores = torch.exp(left @ right.t() / temperature)
    own = torch.diag(scores)
    return -torch.log(own / scores.sum(dim=1)).mean()
