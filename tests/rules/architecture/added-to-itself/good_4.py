import torch, torch.nn as nn
lstm = nn.LSTM(4, 8, batch_first=True)
x = torch.randn(3, 10, 4)
out, (h, c) = lstm(x)
last = out[:, -1]
x2 = torch.tanh(last)
y = x2 + x2
