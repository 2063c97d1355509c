import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 1)
optimiser = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(2, 3)).mean()
loss.backward()
optimiserr.step()
