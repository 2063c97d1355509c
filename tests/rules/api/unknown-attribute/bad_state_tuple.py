import torch


def states(batch):
    return torch.zeros(1, batch, 64), torch.zeros(1, batch, 64)


hidden = states(8)
hidden = hidden.cuda()
