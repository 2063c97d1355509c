import torch

a = torch.randn(1, requires_grad=True)
b = torch.randn(1, requires_grad=True)
x = torch.linspace(0, 1, 50)
for _ in range(200):
    loss = ((a * x + b - 3 * x) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        a = a - 0.01 * a.grad
        b -= 0.01 * b.grad
        b.grad.zero_()
