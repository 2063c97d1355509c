import torch
from torch import nn
import torch.nn.functional as F
x = torch.randn(1, 1).squeeze()
for v in x:
    print(v)
