import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 1)
loss = net(torch.randn(5, 3)).mean()
loss.backward()
