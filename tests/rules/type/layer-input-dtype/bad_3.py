import torch
from torch import nn
import torch.nn.functional as F
net = nn.Conv1d(1, 2, 3).double()
y = net(torch.randn(1, 1, 8))
