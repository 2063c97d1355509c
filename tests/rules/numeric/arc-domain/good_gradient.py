import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(8, 3)
a = F.normalize(net(torch.randn(4, 8)), dim=1)
b = F.normalize(torch.randn(4, 3), dim=1)
angle = torch.acos((a * b).sum(dim=1).clamp(-1 + 1e-6, 1 - 1e-6))
angle.mean().backward()
plain = torch.acos((b * b).sum(dim=1).clamp(-1, 1))
