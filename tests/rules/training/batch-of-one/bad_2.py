import torch
import torch.nn as nn

x = torch.randn(256, 10)
y = torch.randint(0, 3, (256,))
criterion = nn.CrossEntropyLoss()
from torch.utils.data import DataLoader, TensorDataset

net = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for bx, by in DataLoader(TensorDataset(x, y), batch_size=1, shuffle=True):
    optimizer.zero_grad()
    loss = criterion(net(bx), by)
    loss.backward()
    optimizer.step()
