import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(20, 50), nn.ReLU(), nn.Linear(50, 1))
criterion = nn.MSELoss()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
x, y = torch.rand(64, 20), torch.rand(64, 1)
for e in range(100):
    opt.zero_grad()
    out = net(x).detach()
    loss = criterion(out, y)
    loss.backward()
    opt.step()
