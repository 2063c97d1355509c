import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SensorModel(nn.Module):
    def __init__(self, n_features, hidden=32, n_classes=3):
        super().__init__()
        self.front = nn.Sequential(nn.Linear(n_features, hidden), nn.ReLU())
        self.recurrent = nn.LSTM(hidden, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, n_classes)

    def forward(self, x):
        h, _ = self.recurrent(self.front(x))
        h = self.norm(h)
        return self.head(h[:, -1])


def make_sequences(n=180, length=25, features=4):
    y = torch.randint(0, 3, (n,))
    drift = (y.float() - 1)[:, None, None] * torch.linspace(0, 1, length)[None, :, None]
    x = drift + 0.4 * torch.randn(n, length, features)
    return x, y


def main():
    x, y = make_sequences()
    train = DataLoader(TensorDataset(x[:150], y[:150]), batch_size=30, shuffle=True)
    model = SensorModel(4)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(4):
        model.train()
        for xb, yb in train:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            acc = (model(x[150:]).argmax(1) == y[150:]).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
