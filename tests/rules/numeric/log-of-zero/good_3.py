import torch
def loss(p):
    return -torch.log(p).mean()
