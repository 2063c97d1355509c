import collections

import torch
import torch.nn as nn

CORPUS = [
    ("great phone with a lovely screen", 1),
    ("battery died after one day", 0),
    ("fast delivery and great price", 1),
    ("screen broke and support was rude", 0),
    ("lovely sound and long battery life", 1),
    ("terrible quality do not buy", 0),
] * 10

PAD, UNK = 0, 1


class Vocab:
    def __init__(self, texts, min_count=1):
        counts = collections.Counter(w for t in texts for w in t.split())
        self.words = [w for w, c in counts.most_common() if c >= min_count]
        self.index = {w: i + 2 for i, w in enumerate(self.words)}

    def encode(self, text, length=8):
        ids = [self.index.get(w, UNK) for w in text.split()][:length]
        return ids + [PAD] * (length - len(ids))

    def __len__(self):
        return len(self.words)


class Sentiment(nn.Module):
    def __init__(self, vocab_size, dim=20):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, dim, padding_idx=PAD)
        self.fc = nn.Linear(dim, 1)

    def forward(self, ids):
        mask = (ids != PAD).unsqueeze(-1).float()
        mean = (self.emb(ids) * mask).sum(1) / mask.sum(1)
        return self.fc(mean).squeeze(1)


texts, labels = zip(*CORPUS)
vocab = Vocab(texts)
x = torch.tensor([vocab.encode(t) for t in texts])
y = torch.tensor(labels, dtype=torch.float32)

model = Sentiment(len(vocab))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(20):
    for idx in torch.randperm(len(x)).split(12):
        optimizer.zero_grad()
        loss = criterion(model(x[idx]), y[idx])
        loss.backward()
        optimizer.step()
print("final loss", loss.item())
