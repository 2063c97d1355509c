import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 1))
x, y = torch.rand(64, 20), torch.randint(0, 2, (64, 1)).float()
opt = torch.optim.Adam(net.parameters())
crit = nn.BCEWithLogitsLoss()
for i in range(10):
    out = net(x)
    loss = crit(out, y)
    opt.zero_grad(); loss.backward(); opt.step()
    _, pred = torch.max(out, 1)
    print((pred == y.squeeze(1)).float().mean())
