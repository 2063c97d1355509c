import torch
a, b = torch.zeros(2)
a += torch.rand(2, requires_grad=True).sum()
