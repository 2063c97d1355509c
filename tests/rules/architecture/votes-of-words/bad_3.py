import torch
from torch import nn


class Topic(nn.Module):
    def __init__(self, words, topics):
        super().__init__()
        self.table = nn.Embedding(words, topics)

    def forward(self, ids):
        return self.table(ids).mean(dim=1)


model = Topic(3000, 6)
criterion = nn.CrossEntropyLoss()
loss = criterion(model(torch.randint(0, 3000, (16, 20))), torch.randint(0, 6, (16,)))
loss.backward()
