import torch
from torch import nn
import torch.nn.functional as F
lin = nn.Linear(3, 3)
x = torch.randn(2, 3)
p = torch.softmax(lin(x), dim=1)
p.mul_(2)
p.sum().backward()
