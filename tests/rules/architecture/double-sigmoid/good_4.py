import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(20, 50), nn.ReLU(), nn.Linear(50, 1))
criterion = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
x, y = torch.rand(64, 20), torch.randint(0, 2, (64, 1)).float()
for e in range(100):
    opt.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()
