import torch
from torch import nn

old, new = nn.Linear(3, 1), nn.Linear(3, 1)
optimizer = torch.optim.SGD(params=new.parameters(), lr=0.01)
x = torch.linspace(0, 1, 30).reshape(10, 3)
for epoch in range(500):
    loss = nn.functional.mse_loss(new(x), x.sum(dim=1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
