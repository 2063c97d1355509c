import torch
from torch import nn

x = torch.tensor([[0.0, 0], [0, 1], [1, 0], [1, 1]])
y = torch.tensor([[0.0], [1], [1], [0]])
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1), nn.Sigmoid())
optimizer = torch.optim.SGD(net.parameters(), lr=0.001)
for epoch in range(100):
    optimizer.zero_grad()
    loss = nn.functional.binary_cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
