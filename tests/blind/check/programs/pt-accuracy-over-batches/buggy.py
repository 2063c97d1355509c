import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.n += n

    @property
    def avg(self):
        return self.sum / max(self.n, 1)


class TextBag(nn.Module):
    def __init__(self, vocab, classes, dim=24):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.fc = nn.Linear(dim, classes)

    def forward(self, ids):
        return self.fc(self.emb(ids))


def train_epoch(model, loader, optimizer):
    meter = AverageMeter()
    model.train()
    for ids, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(ids), y)
        loss.backward()
        optimizer.step()
        meter.update(loss.item(), len(y))
    return meter.avg


def evaluate(model, loader):
    meter = AverageMeter()
    correct = 0
    model.eval()
    with torch.no_grad():
        for ids, y in loader:
            logits = model(ids)
            meter.update(F.cross_entropy(logits, y).item(), len(y))
            correct += (logits.argmax(dim=1) == y).sum().item()
    accuracy = 100.0 * correct / len(loader)
    return meter.avg, accuracy


if __name__ == "__main__":
    ids = torch.randint(0, 200, (700, 15))
    y = (ids < 100).float().mean(1).gt(0.5).long()
    train_dl = DataLoader(TensorDataset(ids[:600], y[:600]), batch_size=50, shuffle=True)
    valid_dl = DataLoader(TensorDataset(ids[600:], y[600:]), batch_size=32)
    model = TextBag(200, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(3):
        tl = train_epoch(model, train_dl, optimizer)
        vl, va = evaluate(model, valid_dl)
        print(f"{epoch} train {tl:.3f} valid {vl:.3f} acc {va:.1f}%")
