import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(4, 2)
states = torch.randn(32, 4)
actions = torch.randint(0, 2, (32, 1))
target = torch.randn(32)
q = net(states).gather(1, actions).squeeze(1)
loss = F.mse_loss(q, target)
