import torch
import torch.nn as nn

net, losses = nn.Linear(4, 1), []
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(1000):
    loss = ((net(torch.randn(8, 4)) - 1) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)
