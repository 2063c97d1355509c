import torch
import torch.nn as nn
import torch.nn.functional as F

out = nn.Linear(8, 4)(torch.randn(6, 8))
y = torch.eye(4)[torch.randint(0, 4, (6,))].long()
loss = F.cross_entropy(out, y)
