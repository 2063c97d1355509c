import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

BASES = "ACGT"


class Reads(Dataset):
    """DNA reads of random length; label says whether they contain the motif."""

    motif = "GATTA"

    def __init__(self, n):
        self.items = []
        for _ in range(n):
            s = "".join(random.choice(BASES) for _ in range(random.randint(20, 40)))
            if random.random() < 0.5:
                k = random.randrange(len(s) - len(self.motif))
                s = s[:k] + self.motif + s[k + len(self.motif):]
            self.items.append(s)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        s = self.items[i]
        ids = torch.tensor([BASES.index(c) + 1 for c in s])
        return ids, torch.tensor(float(self.motif in s))


def pad_batch(samples):
    ids, labels = zip(*samples)
    return pad_sequence(ids, batch_first=True), torch.stack(labels)


class MotifNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 8, padding_idx=0)
        self.conv = nn.Conv1d(8, 16, kernel_size=5)
        self.fc = nn.Linear(16, 1)

    def forward(self, ids):
        h = torch.relu(self.conv(self.emb(ids).transpose(1, 2)))
        return self.fc(h.amax(dim=2)).squeeze(1)


train_dl = DataLoader(Reads(400), batch_size=20, shuffle=True)
test_dl = DataLoader(Reads(60), batch_size=20, collate_fn=pad_batch)

net = MotifNet()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
bce = nn.BCEWithLogitsLoss()
for epoch in range(4):
    net.train()
    for ids, y in train_dl:
        opt.zero_grad()
        loss = bce(net(ids), y)
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        ok = sum(((net(ids) > 0).float() == y).sum().item() for ids, y in test_dl)
    print(epoch, ok / 60)
