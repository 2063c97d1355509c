import torch
import torch.nn as nn

cell = nn.LSTMCell(8, 16)
h, c = torch.zeros(4, 16), torch.zeros(4, 16)
for step in range(3):
    h, c = cell(torch.randn(4, 8), (h, c))
