import torch
import torch.nn as nn

net = nn.Linear(4, 1)
optimizer = torch.optim.Adam(net.parameters())
x, y, vx, vy = torch.rand(64, 4), torch.rand(64, 1), torch.rand(16, 4), torch.rand(16, 1)
best, wait = float('inf'), 0
for epoch in range(500):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
    loss = nn.functional.mse_loss(net(vx), vy).item()
    if loss < best:
        best = loss
    else:
        wait += 1
    if wait > 10:
        break
