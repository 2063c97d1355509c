import torch
from torch import nn

net = nn.Linear(20, 5)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in batches:
    loss = criterion(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("perplexity", torch.exp(loss).item())
