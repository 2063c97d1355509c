import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

targets = pad_sequence([torch.tensor([2, 1]), torch.tensor([0, 1, 2])], batch_first=True, padding_value=3)
scores = torch.randn(2, 3, 4, requires_grad=True)
loss = nn.CrossEntropyLoss(ignore_index=3)(scores.view(-1, 4), targets.view(-1))
