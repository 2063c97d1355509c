import torch
import torch.nn as nn
x = torch.randn(100, 10)
y = torch.randint(0, 3, (100,))
net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 3))
crit = nn.CrossEntropyLoss()
opt = torch.optim.Adam(net.parameters())
for epoch in range(50):
    opt.zero_grad()
    crit(net(x), y).backward()
    opt.step()
