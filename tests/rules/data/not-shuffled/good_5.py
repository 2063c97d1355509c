import torch
from torch import nn

labels = [0] * 400 + [1] * 400
x, y = torch.randn(800, 5), torch.tensor(labels)
order = torch.randperm(800)
x, y = x[order], y[order]
net = nn.Linear(5, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    for start in range(0, 800, 20):
        loss = nn.functional.cross_entropy(net(x[start:start + 20]), y[start:start + 20])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
