import torch, torch.nn as nn
def make(n):
    x = 20 + 5 * torch.randn(n, 3) * torch.tensor(40.0)
    return x, x.sum(1, keepdim=True)
x, y = make(500)
mu, sd = x.mean(0), x.std(0)
net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters())
xn = (x - mu) / sd
for i in range(200):
    opt.zero_grad(); loss = ((net(xn) - y) ** 2).mean(); loss.backward(); opt.step()
xt, yt = make(100)
with torch.no_grad():
    print(((net(xt) - yt) ** 2).mean())
