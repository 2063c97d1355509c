import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(2, 1)
net(torch.randn(3, 2)).sum().backward()
torch.nn.utils.clip_grad_norm_(net.parameters())
