import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=1)
crit = nn.CrossEntropyLoss()
x, y = torch.rand(100, 4), torch.randint(0, 3, (100,))
for e in range(200):
    opt.zero_grad()
    crit(net(x), y).backward()
    opt.step()
