import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 2))
criterion = nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
data = TensorDataset(torch.rand(6400, 20), torch.randint(0, 2, (6400,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
for e in range(20):
    for x, y in loader:
        opt.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        opt.step()
        sched.step()
