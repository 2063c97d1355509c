import torch

w = torch.zeros(5, 1, requires_grad=True)
x = torch.rand(100, 5)
for _ in range(100):
    loss = (x @ w - 1).pow(2).mean()
    loss.backward()
    w = w - 0.1 * w.grad
