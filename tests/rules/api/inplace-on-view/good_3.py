import torch
w = torch.rand(3, requires_grad=True)
s = torch.zeros(2)
s += w.sum()
