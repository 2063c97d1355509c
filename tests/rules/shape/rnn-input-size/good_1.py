import torch
from torch import nn
import torch.nn.functional as F
y, h = nn.LSTM(8, 20)(torch.randn(5, 3, 8))
