import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(16, 32)
        self.out = nn.Linear(32, 5)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        hidden, (last, _) = self.rnn(packed)
        first, sizes = hidden.data, hidden.batch_sizes
        padded, _ = pad_packed_sequence(hidden, batch_first=True)
        return self.out(padded), self.out(last[-1]), first[0], sizes


print(Tagger()(torch.rand(3, 9, 16), [9, 7, 2]))
