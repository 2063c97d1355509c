import torch
from torch import nn
x = torch.randn(6, 10, 3)
out, _ = nn.LSTM(3, 8, batch_first=True)(x)
y = out[:, -1]
