import torch, torch.nn as nn
net = nn.Linear(20, 1)
criterion = nn.MSELoss()
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.StepLR(opt, 10, 0.1)
x, y = torch.rand(64, 20), torch.rand(64, 1)
for e in range(100):
    sched.step()
    opt.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()
