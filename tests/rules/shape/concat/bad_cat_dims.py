import torch
import torch.nn as nn
import torch.nn.functional as F

a = torch.randn(4, 10)
b = torch.randn(4, 6)
c = torch.cat([a, b])
