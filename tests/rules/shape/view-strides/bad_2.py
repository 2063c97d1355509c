import torch
from torch import nn
import torch.nn.functional as F
y = torch.randn(4, 5).t().view(20)
