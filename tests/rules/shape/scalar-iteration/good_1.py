import torch
from torch import nn
import torch.nn.functional as F
x = torch.randn(1, 1).squeeze(1)
for v in x:
    print(v)
