import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

words = pad_sequence([torch.randint(1, 30, (n,)) for n in (5, 9, 3)], batch_first=True)
model = nn.Embedding(30, 30)
criterion = nn.CrossEntropyLoss(ignore_index=0)
loss = criterion(model(words[:, :-1]).reshape(-1, 30), words[:, 1:].reshape(-1))
loss.backward()
