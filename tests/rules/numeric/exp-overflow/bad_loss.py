import torch
from torch import nn

net = nn.Linear(20, 5)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in batches:
    loss = torch.exp(criterion(net(x), y) / 2)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
