import torch
import torch.nn as nn
import torch.nn.functional as F

out = nn.Linear(4, 3)(torch.randn(8, 4))
print(out.item())
