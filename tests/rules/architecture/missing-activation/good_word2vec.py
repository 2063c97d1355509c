import torch
import torch.nn as nn


class Word2Vec(nn.Module):
    def __init__(self, words, size):
        super().__init__()
        self.vectors = nn.Linear(words, size, bias=False)
        self.contexts = nn.Linear(size, words, bias=False)

    def forward(self, x):
        return self.contexts(self.vectors(x))


model = Word2Vec(8, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
for step in range(1000):
    x, y = torch.eye(8)[torch.randint(0, 8, (4,))], torch.randint(0, 8, (4,))
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
