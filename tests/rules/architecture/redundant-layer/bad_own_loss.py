import torch
from torch import nn

policy = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 32), nn.Linear(32, 2), nn.LogSoftmax(-1))
optimizer = torch.optim.Adam(policy.parameters())
for state, action, gain in episodes:
    loss = -(policy(torch.randn(8, 4))[range(8), action] * gain).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
