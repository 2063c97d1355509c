import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(16, 32, batch_first=True)
        self.out = nn.Linear(32, 5)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        hidden, _ = self.rnn(packed)
        return self.out(hidden)


print(Tagger()(torch.rand(3, 9, 16), [9, 7, 2]))
