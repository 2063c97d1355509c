import torch
from torch import nn
import torch.nn.functional as F
y = nn.BatchNorm2d(16)(torch.randn(2, 8, 4, 4))
