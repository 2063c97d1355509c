import torch
from torch import nn
import torch.nn.functional as F
net = nn.Linear(4, 2)
net(torch.randn(8, 4)).backward()
