import torch, torch.nn as nn
protos = torch.randn(6, 10)
def batch(n):
    c = torch.randint(0, 6, (n,))
    return protos[c] + 0.3 * torch.randn(n, 10), c
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters()); crit = nn.MSELoss()
for step in range(500):
    x, c = batch(64)
    loss = crit(net(x).squeeze(-1), c.float())
    opt.zero_grad(); loss.backward(); opt.step()
