import torch

x = torch.rand(8)
root = torch.pow(x, 0.5)
