import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class ActivityCNN(nn.Module):
    """Accelerometer windows: 3 axes x 100 samples."""

    def __init__(self, classes=6):
        super(ActivityCNN, self).__init__()
        self.c1 = nn.Conv1d(3, 16, kernel_size=9, padding=4)
        self.c2 = nn.Conv1d(16, 32, kernel_size=9, padding=4)
        self.pool = nn.MaxPool1d(2)
        self.lin = nn.Linear(32 * 25, 64)
        self.out = nn.Linear(64, classes)
        self.act = nn.ReLU()

    def features(self, x):
        x = self.pool(self.act(self.c1(x)))
        x = self.pool(self.act(self.c2(x)))
        return x.flatten(1)

    def forward(self, x):
        h = self.act(self.lin(self.features(x)))
        return torch.softmax(self.out(h), dim=1)


def synth(n):
    y = torch.randint(0, 6, (n,))
    t = torch.linspace(0, 1, 100)
    base = torch.sin(2 * torch.pi * (y[:, None] + 1) * t)
    x = base[:, None, :].repeat(1, 3, 1) + 0.5 * torch.randn(n, 3, 100)
    return TensorDataset(x, y)


def run_epoch(model, loader, criterion, optimizer=None):
    training = optimizer is not None
    model.train(training)
    total, hits = 0.0, 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            scores = model(x)
            loss = criterion(scores, y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(y)
            hits += (scores.argmax(1) == y).sum().item()
    n = len(loader.dataset)
    return total / n, hits / n


if __name__ == "__main__":
    train_dl = DataLoader(synth(300), batch_size=50, shuffle=True)
    test_dl = DataLoader(synth(60), batch_size=60)
    model = ActivityCNN()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        tr = run_epoch(model, train_dl, criterion, optimizer)
        te = run_epoch(model, test_dl, criterion)
        print(epoch, tr, te)
