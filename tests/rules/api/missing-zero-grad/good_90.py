import torch

w = torch.zeros(3, 1, requires_grad=True)
x = torch.randn(50, 3)
y = torch.randn(50, 1)
for step in range(200):
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    w.data -= 0.01 * w.grad.data
    w.grad = None
