import torch
import torch.nn as nn
import torch.nn.functional as F

from torch.nn.utils.rnn import pack_padded_sequence
x = torch.randn(4, 10, 8)
lstm = nn.LSTM(8, 16, batch_first=True)
out, h = lstm(x)
loss = out.mean()
print(out.shape[2])
