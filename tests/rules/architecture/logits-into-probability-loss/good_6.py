import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(20, 50), nn.ReLU(), nn.Linear(50, 4), nn.LogSoftmax(dim=1))
criterion = nn.NLLLoss()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
x, y = torch.rand(64, 20), torch.randint(0, 4, (64,))
for e in range(100):
    opt.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()
