import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(5000, 12)
fraud = (torch.rand(5000) < 0.02).float()
loader = DataLoader(TensorDataset(x, fraud), batch_size=50, shuffle=True)
net = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(49.0))
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(5):
    for a, b in loader:
        optimizer.zero_grad()
        criterion(net(a), b).backward()
        optimizer.step()
