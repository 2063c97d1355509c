import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(1000):
    s, r = torch.rand(32, 4), torch.rand(32)
    q = net(s).max(1)[0]
    loss = ((q - r) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
