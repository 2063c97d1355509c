import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

pressure = 101325 + 500 * torch.randn(800)
humidity = torch.rand(800)
x = torch.stack([pressure, humidity], dim=1)
x = (x - x.mean(dim=0)) / x.std(dim=0)
y = torch.randn(800, 1)
net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(10):
    for a, b in DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True):
        loss = nn.functional.mse_loss(net(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
