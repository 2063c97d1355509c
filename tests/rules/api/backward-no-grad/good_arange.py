import torch

x = torch.arange(-8.0, 8.0, 0.1, requires_grad=True)
y = torch.relu(x)
y.backward(torch.ones_like(x), retain_graph=True)
w = torch.normal(0, 0.01, size=(4, 1), requires_grad=True)
(torch.ones(2, 4) @ w).sum().backward()
