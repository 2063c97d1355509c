import torch
x, y, z = torch.ones(3, 2)
y *= 2
