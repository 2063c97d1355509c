import sys

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
loss = net(torch.ones(1, 4)).sum()
loss.backward()
torch.save(net.state_dict(), sys.argv[1])
net.load_state_dict(torch.load(sys.argv[1]))
