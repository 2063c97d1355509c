import torch
import torch.nn as nn

net = nn.Linear(4, 1)
answer = torch.sigmoid(net(torch.rand(8, 4))).long()
