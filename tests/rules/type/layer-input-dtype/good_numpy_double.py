import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
data = np.random.rand(100, 8).astype(np.float32)
target = np.random.rand(100, 1).astype(np.float32)
x = torch.from_numpy(data)
y = torch.from_numpy(target)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(10):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
