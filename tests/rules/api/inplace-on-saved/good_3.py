import torch
from torch import nn
import torch.nn.functional as F
lin = nn.Linear(3, 3)
x = torch.randn(2, 3)
p = lin(x)
p += 2
p.sum().backward()
