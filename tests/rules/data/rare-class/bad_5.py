import numpy as np, torch, torch.nn as nn
X = np.random.randn(10000, 8).astype('float32')
y = np.random.binomial(1, 0.02, size=10000).astype('float32')
X, y = torch.from_numpy(X), torch.from_numpy(y)
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters())
bce = nn.BCEWithLogitsLoss()
for epoch in range(20):
    opt.zero_grad()
    loss = bce(net(X).squeeze(), y)
    loss.backward()
    opt.step()
