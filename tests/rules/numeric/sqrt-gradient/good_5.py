import torch
w = torch.randn(8, 8, requires_grad=True)
x = torch.rand(4, 8)
d = torch.relu(x @ w)
n = torch.sqrt((d ** 2).sum(dim=1) + 1e-8)
n.mean().backward()
