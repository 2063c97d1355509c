import torch


def gradient_penalty(critic, mixed):
    score = critic(mixed)
    slope = torch.autograd.grad(score.sum(), mixed, create_graph=True)[0]
    slope = slope.view(slope.size(0), -1)
    length = torch.sqrt(torch.sum(slope ** 2, dim=1) + 1e-12)
    return ((length - 1) ** 2).mean()
