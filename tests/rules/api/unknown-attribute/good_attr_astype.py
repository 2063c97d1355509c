import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.randn(3, 4)
y = x.double()
