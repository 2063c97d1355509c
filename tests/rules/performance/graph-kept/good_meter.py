import torch
import torch.nn as nn


class Mean:
    def __init__(self):
        self.total, self.count = 0, 0

    def update(self, value):
        self.total += value
        self.count += 1


net, mean = nn.Linear(4, 1), Mean()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(1000):
    loss = ((net(torch.randn(8, 4)) - 1) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean.update(loss.item())
