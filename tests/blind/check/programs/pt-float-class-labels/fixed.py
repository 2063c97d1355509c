import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def load_table(rows=300, seed=0):
    """Stand-in for reading measurements.csv: last column is the class."""
    rng = np.random.default_rng(seed)
    feats = rng.normal(size=(rows, 6))
    cls = (feats[:, 0] > 0).astype(int) + (feats[:, 1] > 0.5).astype(int)
    return np.column_stack([feats, cls])


class TableDataset(Dataset):
    def __init__(self, table):
        self.x = torch.tensor(table[:, :-1], dtype=torch.float32)
        self.y = torch.tensor(table[:, -1], dtype=torch.long)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Classifier(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, n_out)
        )

    def forward(self, x):
        return self.body(x)


def fit(model, loader, epochs):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    model.train()
    for epoch in range(epochs):
        seen, total = 0, 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            seen += len(x)
            total += loss.item() * len(x)
        print(f"epoch {epoch}: {total / seen:.3f}")


if __name__ == "__main__":
    table = load_table()
    train_loader = DataLoader(TableDataset(table), batch_size=32, shuffle=True)
    fit(Classifier(6, 3), train_loader, epochs=3)
