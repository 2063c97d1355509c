import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(1, 1))
opt = torch.optim.Adam(net.parameters())
