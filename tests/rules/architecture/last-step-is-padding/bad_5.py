import torch, torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
class Enc(nn.Module):
    def __init__(self, v):
        super().__init__()
        self.embedding = nn.Embedding(v, 32)
        self.gru = nn.GRU(32, 64, batch_first=True)
        self.fc = nn.Linear(64, 3)
    def forward(self, x):
        _, h = self.gru(self.embedding(x))
        return self.fc(h[-1])
seqs = [torch.LongTensor([4, 2]), torch.LongTensor([1, 2, 3, 4])]
x = pad_sequence(seqs, batch_first=True)
print(Enc(10)(x))
