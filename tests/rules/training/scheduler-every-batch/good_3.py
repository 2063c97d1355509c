import torch
import torch.nn as nn

x = torch.randn(256, 10)
y = torch.randint(0, 3, (256,))
criterion = nn.CrossEntropyLoss()
from torch.utils.data import DataLoader, TensorDataset

net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
for epoch in range(10):
    for bx, by in DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True):
        optimizer.zero_grad()
        criterion(net(bx), by).backward()
        optimizer.step()
    scheduler.step()
