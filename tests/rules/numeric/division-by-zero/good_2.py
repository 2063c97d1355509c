import torch
def unit(x):
    return x / torch.norm(x)
