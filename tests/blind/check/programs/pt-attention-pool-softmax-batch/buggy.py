import torch
import torch.nn as nn
import torch.nn.functional as F


class AttentionPool(nn.Module):
    def __init__(self, dim, hidden=32):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, states):
        """states: (batch, time, dim) -> (batch, dim)"""
        energy = self.score(states).squeeze(-1)
        weights = F.softmax(energy, dim=0)
        return torch.einsum("bt,btd->bd", weights, states), weights


class ReviewModel(nn.Module):
    def __init__(self, vocab_size, dim=32, classes=2):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.pool = AttentionPool(2 * dim)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(2 * dim, classes)

    def forward(self, ids):
        states, _ = self.gru(self.emb(ids))
        pooled, weights = self.pool(states)
        return self.fc(self.drop(pooled)), weights


def synthetic(n, length=20, vocab=60):
    ids = torch.randint(2, vocab, (n, length))
    y = torch.randint(0, 2, (n,))
    where = torch.randint(0, length, (n,))
    ids[torch.arange(n), where] = y
    return ids, y


def train(epochs=4, batch=40):
    model = ReviewModel(60)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    ids, y = synthetic(600)
    test_ids, test_y = synthetic(100)
    for epoch in range(epochs):
        model.train()
        for idx in torch.randperm(len(ids)).split(batch):
            logits, _ = model(ids[idx])
            loss = F.cross_entropy(logits, y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            logits, _ = model(test_ids)
        acc = (logits.argmax(1) == test_y).float().mean().item()
        print(f"epoch {epoch}  loss {loss.item():.3f}  acc {acc:.3f}")


if __name__ == "__main__":
    train()
