import torch

a = torch.randn(1, requires_grad=True)
x = torch.linspace(0, 1, 50)
for _ in range(200):
    loss = ((a * x - 3 * x) ** 2).mean()
    loss.backward()
    a = (a - 0.01 * a.grad).detach().requires_grad_()
