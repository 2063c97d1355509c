import torch
from torch import nn
import torch.nn.functional as F
p = nn.MaxPool1d(4, padding=2)
y = p(torch.randn(1, 1, 8))
