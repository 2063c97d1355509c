import torch
from torch import nn
import torch.nn.functional as F
net = nn.Linear(2, 1)
with torch.no_grad():
    loss = net(torch.randn(3, 2)).mean()
loss.backward()
