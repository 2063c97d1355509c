import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(300, 5)
y = torch.cat([torch.zeros(100), torch.ones(100), torch.full((100,), 2.0)]).long()
loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)
net = nn.Linear(5, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(a), b).backward()
        optimizer.step()
