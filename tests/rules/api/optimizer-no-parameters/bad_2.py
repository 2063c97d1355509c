import torch
import torch.nn as nn
net = nn.Sequential()
opt = torch.optim.Adam(net.parameters())
