import torch
import torch.nn as nn

x, y = torch.rand(64, 4), torch.randint(0, 2, (64,))
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def batches(x, y):
    for i in range(0, len(x), 8):
        yield x[i:i + 8], y[i:i + 8]


for epoch in range(10):
    for bx, by in batches(x, y):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(bx), by).backward()
        optimizer.step()
