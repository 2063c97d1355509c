import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

tags = pad_sequence([torch.randint(1, 6, (n,)) for n in (4, 7)], batch_first=True)
logits = nn.Linear(8, 6)(torch.randn(2, 7, 8))
loss = nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=0)
