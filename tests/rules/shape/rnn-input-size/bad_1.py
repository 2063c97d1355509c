import torch
from torch import nn
import torch.nn.functional as F
y, h = nn.LSTM(10, 20)(torch.randn(5, 3, 8))
