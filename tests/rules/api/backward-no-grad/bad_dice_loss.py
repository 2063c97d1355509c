import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Conv2d(1, 1, 3, padding=1)
x = torch.rand(2, 1, 8, 8)
m = (torch.rand(2, 1, 8, 8) > 0.5).float()
p = (torch.sigmoid(net(x)) > 0.5).float()
loss = 1 - 2 * (p * m).sum() / (p.sum() + m.sum() + 1)
loss.backward()
