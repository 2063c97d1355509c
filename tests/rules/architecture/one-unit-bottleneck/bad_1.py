import torch
from torch import nn

net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 1), nn.ReLU(), nn.Linear(1, 32), nn.ReLU(), nn.Linear(32, 5))
optimizer = torch.optim.Adam(net.parameters())
for step in range(100):
    x, y = torch.randn(16, 20), torch.randint(0, 5, (16,))
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
