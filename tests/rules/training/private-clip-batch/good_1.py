"""Training with differential privacy."""
import torch
from torch import nn

x, y = torch.randn(64, 5), torch.randn(64, 1)
model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(50):
    sums = [torch.zeros_like(p) for p in model.parameters()]
    for i in range(64):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x[i:i + 1]), y[i:i + 1])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for s, p in zip(sums, model.parameters()):
            s += p.grad
    for s, p in zip(sums, model.parameters()):
        p.grad = (s + 0.5 * torch.randn_like(s)) / 64
    optimizer.step()
