import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.rnn = nn.LSTM(words, 64, batch_first=True)
        self.head = nn.Sequential(
            nn.Linear(64, 64),
            nn.Linear(64, tags),
        )

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1, :])


model = Tagger(500, 12)
loss_fn = nn.CrossEntropyLoss()
for x, y in batches:
    loss = loss_fn(model(x), y)
