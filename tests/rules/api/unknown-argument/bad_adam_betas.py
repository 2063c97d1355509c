import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(2, 1)
opt = torch.optim.Adam(net.parameters(), lr=1e-3, momentum=0.9)
