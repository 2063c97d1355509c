import torch

x = torch.rand(8) - 0.5
root = torch.pow(x, 0.5)
