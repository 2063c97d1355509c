import torch
import torch.nn as nn

cell = nn.LSTMCell(8, 16)
h = torch.zeros(4, 16)
h, c = cell(torch.randn(4, 8), h)
