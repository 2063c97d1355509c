import torch
import torch.nn as nn
import torch.nn.functional as F

rnn = nn.GRU(8, 16, batch_first=True)
h0 = torch.zeros(1, 4, 16)
out, h = rnn(torch.randn(4, 10, 8), h0)
