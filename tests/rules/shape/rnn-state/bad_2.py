import torch
from torch import nn
import torch.nn.functional as F
y, h = nn.LSTM(4, 8, 2)(torch.randn(5, 3, 4), (torch.zeros(1, 3, 8), torch.zeros(1, 3, 8)))
