import numpy as np, torch, torch.nn as nn
salary = np.random.normal(60000, 12000, 500)
score = np.random.rand(500)
X = torch.tensor(np.array([salary, score]).T, dtype=torch.float32)
y = torch.tensor((score > 0.5), dtype=torch.float32).unsqueeze(1)
net = nn.Sequential(nn.Linear(2, 8), nn.Sigmoid(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
lossf = nn.BCEWithLogitsLoss()
for i in range(1000):
    opt.zero_grad()
    l = lossf(net(X), y)
    l.backward()
    opt.step()
