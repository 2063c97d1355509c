import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 1)
out = net(torch.randn(5, 3))
loss = out.mean()
loss.backward()
