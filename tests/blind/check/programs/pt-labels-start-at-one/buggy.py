"""Soil classifier: reads soil.csv (features f0..f9, last column the soil type)."""
import argparse
import csv

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

N_TYPES = 7


def read_csv(path):
    feats, types = [], []
    with open(path, newline="") as fh:
        reader = csv.reader(fh)
        next(reader)
        for row in reader:
            feats.append([float(v) for v in row[:-1]])
            types.append(int(row[-1]))
    return torch.tensor(feats), torch.tensor(types)


class SoilNet(nn.Module):
    def __init__(self, n_in, n_out, width=48):
        super().__init__()
        self.stack = nn.Sequential(
            nn.Linear(n_in, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, n_out),
        )

    def forward(self, x):
        return self.stack(x)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", default="soil.csv")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()

    x, y = read_csv(args.csv)
    train_set, test_set = random_split(TensorDataset(x, y), [len(x) - len(x) // 5, len(x) // 5])
    train_x = x[train_set.indices]
    mean, std = train_x.mean(0), train_x.std(0)

    train_dl = DataLoader(train_set, args.batch_size, shuffle=True)
    test_dl = DataLoader(test_set, args.batch_size)
    model = SoilNet(x.size(1), N_TYPES)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    for epoch in range(args.epochs):
        model.train()
        for xb, yb in train_dl:
            optimizer.zero_grad()
            loss = criterion(model((xb - mean) / std), yb)
            loss.backward()
            optimizer.step()
        model.eval()
        correct = 0
        with torch.no_grad():
            for xb, yb in test_dl:
                correct += (model((xb - mean) / std).argmax(1) == yb).sum().item()
        print(f"epoch {epoch}: accuracy {correct / len(test_set):.3f}")


if __name__ == "__main__":
    main()
