import torch

w1 = torch.rand(3, 1, requires_grad=True)
b = torch.rand(1, requires_grad=True)
out = torch.randn(8, 3) @ w1 + b
