import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

rnn = nn.GRU(16, 32, batch_first=True, bidirectional=True)
out = nn.Linear(64, 5)
packed = pack_padded_sequence(torch.rand(3, 9, 16), [9, 7, 2], batch_first=True)
hidden, last = rnn(packed)
padded, lengths = pad_packed_sequence(hidden, batch_first=True)
print(out(padded))
