import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(10, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(100):
    x, y = torch.rand(8, 10), torch.randint(0, 3, (8,))
    loss = F.nll_loss(torch.relu(net(x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
