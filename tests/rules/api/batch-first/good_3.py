import torch
from torch import nn
x = torch.randn(6, 10, 3)
rnn = nn.RNN(3, 4)
out, h = rnn(x)
y = nn.Linear(4, 2)(out[-1])
