import torch

w1 = torch.rand(10, 50, requires_grad=True)
w2 = torch.rand(50, 20, requires_grad=True)
w3 = torch.rand(20, 1, requires_grad=True)
h = torch.sigmoid(torch.randn(8, 10) @ w1)
h = torch.sigmoid(h @ w2)
out = h @ w3
