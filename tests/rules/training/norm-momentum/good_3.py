import torch
from torch import nn

norm = nn.BatchNorm1d(16, momentum=1 - 0.99)
optimizer = torch.optim.SGD(norm.parameters(), lr=0.1, momentum=0.9)
