import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.randn(2, 3, 4)
y = x.permute(0, 2, 1).view(2, 12)
