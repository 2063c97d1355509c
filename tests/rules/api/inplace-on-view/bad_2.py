import torch
w = torch.rand(3, requires_grad=True)
x, y, z = torch.ones(3, 2)
y *= w.mean()
