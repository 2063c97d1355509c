import torch
import torch.nn as nn
import torch.nn.functional as F

w = torch.zeros(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
x = torch.randn(10, 3)
y = torch.randn(10)
for i in range(100):
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    w -= 0.1 * w.grad
    b -= 0.1 * b.grad
    w.grad.zero_()
    b.grad.zero_()
