import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Sequential(nn.LSTM(10, 20, batch_first=True), nn.Linear(20, 2))
out = net(torch.randn(4, 7, 10))
