import torch
from torch import nn
import torch.nn.functional as F
y = nn.BatchNorm1d(20)(torch.randn(2, 20))
