import torch

x = torch.rand(8) - 0.5
y = x.pow(0.25)
