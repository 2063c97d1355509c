import torch
from torch import nn
import torch.nn.functional as F
out = nn.Linear(4, 3)(torch.randn(8, 4))
loss = F.cross_entropy(out, torch.randint(0, 3, (8,)), reduction='none')
loss.backward()
