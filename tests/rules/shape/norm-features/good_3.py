import torch
from torch import nn
import torch.nn.functional as F
y = nn.BatchNorm1d(6)(torch.randn(8, 6))
