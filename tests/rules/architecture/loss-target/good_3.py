import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
crit = nn.CrossEntropyLoss()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
from sklearn.datasets import load_iris
d = load_iris()
x = torch.tensor(d.data, dtype=torch.float32)
y = torch.tensor(d.target, dtype=torch.long)
for e in range(200):
    opt.zero_grad()
    crit(net(x), y).backward()
    opt.step()
