import torch

x = torch.rand(8) * 2 - 1
y = x ** 1.5
