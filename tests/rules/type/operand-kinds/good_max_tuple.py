import torch
import torch.nn as nn
import torch.nn.functional as F

out = nn.Linear(4, 3)(torch.randn(8, 4))
_, pred = torch.max(out, 1)
y = torch.randint(0, 3, (8,))
correct = (pred == y).sum().item()
