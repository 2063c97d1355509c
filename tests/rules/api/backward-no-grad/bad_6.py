import torch, torch.nn as nn
net = nn.Linear(10, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.rand(32, 10), torch.randint(0, 2, (32,))
for i in range(100):
    opt.zero_grad()
    with torch.no_grad():
        loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
