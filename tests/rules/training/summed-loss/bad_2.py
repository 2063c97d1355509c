import torch
from torch import nn

x, y = torch.randn(200, 4), torch.randn(200, 1)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for step in range(100):
    loss = ((net(x) - y) ** 2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
