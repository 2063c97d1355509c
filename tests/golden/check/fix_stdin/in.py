import torch
import torch.nn as nn
net = nn.Linear(3, 2)
x = torch.zeros(4, 5)
y = net(x)
z = torch.zeros(2, 3) + torch.zeros(2, 4)
