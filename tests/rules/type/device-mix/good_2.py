import torch
from torch import nn
import torch.nn.functional as F
net = nn.Linear(3, 1).cuda()
y = net(torch.randn(2, 3).cuda())
