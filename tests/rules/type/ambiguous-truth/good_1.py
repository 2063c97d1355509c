import torch
from torch import nn
import torch.nn.functional as F
x = torch.randn(3)
if (x > 0).any():
    print(x)
