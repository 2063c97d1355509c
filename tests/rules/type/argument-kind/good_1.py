import torch
from torch import nn
import torch.nn.functional as F
y = F.relu(torch.randn(2))
