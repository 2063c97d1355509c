import torch, torch.nn as nn
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence
seqs = [torch.randn(n, 4) for n in (3, 5, 2)]
lengths = torch.tensor([3, 5, 2])
x = pad_sequence(seqs, batch_first=True)
rnn = nn.GRU(4, 8, batch_first=True)
packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
_, h = rnn(packed)
print(h[-1])
