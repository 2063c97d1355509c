import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 64)
        self.lstm = nn.LSTM(64, 128, batch_first=True)
        self.out = nn.Linear(128, tags)

    def encode(self, x):
        with torch.inference_mode():
            return self.lstm(self.embed(x))[0]

    def forward(self, x):
        return self.out(self.encode(x).clone())
