import torch
from torch import nn

heads = nn.Sequential(nn.Linear(12, 6), nn.Tanh(), nn.Linear(6, 1), nn.Softmax(dim=1))
states = torch.randn(3, 9, 12)
context = torch.bmm(heads(states).transpose(1, 2), states)
