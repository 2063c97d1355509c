import torch

a, b = torch.rand(50, 8), torch.rand(60, 8)
table = a @ b.T
