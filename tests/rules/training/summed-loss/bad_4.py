import torch
import torch.nn as nn
import torch.optim as optim
x = torch.randn(512, 16)
y = x @ torch.randn(16, 1)
net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
opt = optim.SGD(net.parameters(), lr=0.01)
mse = nn.MSELoss(reduction='sum')
for epoch in range(100):
    pred = net(x)
    loss = mse(pred, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
