import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 4)
pred = net(torch.randn(5, 3))
y = torch.randint(0, 4, (5,))
loss = F.cross_entropy(pred, y)
loss.backward()
