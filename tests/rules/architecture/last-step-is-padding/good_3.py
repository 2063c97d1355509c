import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 12)
        self.lstm = nn.LSTM(12, 24)
        self.out = nn.Linear(24, 4)

    def forward(self, ids):
        states, _ = self.lstm(self.embed(ids))
        return self.out(states[-1])


words = torch.randint(1, 30, (7, 3))
answer = Reader()(words)
