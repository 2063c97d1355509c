import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MultiLabelNet(nn.Module):
    def __init__(self, d_in, n_labels):
        super().__init__()
        self.fc1 = nn.Linear(d_in, 48)
        self.fc2 = nn.Linear(48, n_labels)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def make_loader(n, d_in, n_labels, batch, shuffle):
    g = torch.Generator().manual_seed(5)
    w = torch.randn(d_in, n_labels, generator=g)
    x = torch.randn(n, d_in)
    y = (x @ w + torch.randn(n, n_labels) > 1.0).float()
    return DataLoader(TensorDataset(x, y), batch_size=batch, shuffle=shuffle)


def f1_scores(pred, truth):
    tp = (pred * truth).sum(0)
    fp = (pred * (1 - truth)).sum(0)
    fn = ((1 - pred) * truth).sum(0)
    return 2 * tp / (2 * tp + fp + fn).clamp(min=1)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    preds, truths = [], []
    for x, y in loader:
        out = model(x)
        preds.append((torch.sigmoid(out) > 0.5).float())
        truths.append(y)
    return f1_scores(torch.cat(preds), torch.cat(truths)).mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--labels", type=int, default=6)
    ap.add_argument("--features", type=int, default=12)
    ap.add_argument("--epochs", type=int, default=5)
    a = ap.parse_args()
    train = make_loader(800, a.features, a.labels, 40, True)
    test = make_loader(200, a.features, a.labels, 100, False)
    model = MultiLabelNet(a.features, a.labels)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(a.epochs):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} macro F1 {evaluate(model, test):.3f}")


if __name__ == "__main__":
    main()
