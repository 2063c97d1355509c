import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
other = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
more = torch.optim.SGD(other.parameters(), lr=1e-2)
x, y = torch.randn(40, 3), torch.randn(40, 1)
for step in range(100):
    opt.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    opt.step()
    more.zero_grad()
    nn.functional.mse_loss(other(x), y).backward()
    more.step()
