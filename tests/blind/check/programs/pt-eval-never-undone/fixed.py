import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, d_in, d_out, p=0.3):
        super().__init__()
        self.fc1 = nn.Linear(d_in, 64)
        self.bn = nn.BatchNorm1d(64)
        self.drop = nn.Dropout(p)
        self.fc2 = nn.Linear(64, d_out)

    def forward(self, x):
        return self.fc2(self.drop(torch.relu(self.bn(self.fc1(x)))))


def validate(model, loader, criterion):
    model.eval()
    loss_sum, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss_sum += criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss_sum / n, hits / n


def train(model, train_loader, val_loader, epochs=3, val_every=5):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
    it = 0
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            it += 1
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            if it % val_every == 0:
                vl, va = validate(model, val_loader, criterion)
                print(f"iter {it} train {loss.item():.3f} val {vl:.3f} acc {va:.3f}")
                model.train()


def blobs(n, d=12, k=5):
    g = torch.Generator().manual_seed(1)
    centres = torch.randn(k, d, generator=g)
    y = torch.randint(0, k, (n,))
    return TensorDataset(centres[y] + 0.8 * torch.randn(n, d), y)


if __name__ == "__main__":
    train(
        Encoder(12, 5),
        DataLoader(blobs(640), batch_size=32, shuffle=True, drop_last=True),
        DataLoader(blobs(100), batch_size=100),
    )
