import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

sequences = [torch.randint(1, 20, (n,)) for n in (3, 9, 5)]
lengths = torch.tensor([3, 9, 5])
embed, rnn, head = nn.Embedding(20, 8), nn.GRU(8, 16, batch_first=True), nn.Linear(16, 2)
states, _ = rnn(embed(pad_sequence(sequences, batch_first=True)))
logits = head(states[:, -1])
