import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 1)
x = torch.randn(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(x).pow(2).mean()
for i in range(3):
    opt.zero_grad()
    loss.backward()
    opt.step()
