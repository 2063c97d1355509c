import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class WindowDataset(Dataset):
    """Sliding windows over one long series: `window` inputs, `horizon` targets."""

    def __init__(self, series, window, horizon=1):
        self.series = series
        self.window = window
        self.horizon = horizon

    def __len__(self):
        return len(self.series) - self.window - self.horizon + 1

    def __getitem__(self, i):
        past = self.series[i:i + self.window]
        future = self.series[i + self.window:i + self.window + self.horizon]
        return past, future


class TCN(nn.Module):
    def __init__(self, horizon, channels=12):
        super().__init__()
        self.c1 = nn.Conv1d(1, channels, 3, dilation=1)
        self.c2 = nn.Conv1d(channels, channels, 3, dilation=2)
        self.c3 = nn.Conv1d(channels, channels, 3, dilation=4)
        self.head = nn.Linear(channels, horizon)

    def forward(self, x):
        h = x.unsqueeze(1)
        for conv in (self.c1, self.c2, self.c3):
            h = torch.relu(conv(h))
        return self.head(h.mean(-1))


def make_series(n):
    t = torch.arange(n, dtype=torch.float32)
    return torch.sin(2 * math.pi * t / 24) + 0.2 * torch.randn(n)


def main(window=48, horizon=6):
    series = make_series(700)
    train_ds = WindowDataset(series[:560], window, horizon)
    test_ds = WindowDataset(series[560:], window, horizon)
    train_dl = DataLoader(train_ds, batch_size=32, shuffle=True)
    test_dl = DataLoader(test_ds, batch_size=64)
    model = TCN(horizon)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    loss_fn = nn.MSELoss()
    for epoch in range(3):
        model.train()
        for past, future in train_dl:
            opt.zero_grad()
            loss_fn(model(past), future).backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            err, n = 0.0, 0
            for past, future in test_dl:
                err += loss_fn(model(past), future).item() * len(past)
                n += len(past)
        print(epoch, round(err / n, 4))


if __name__ == "__main__":
    main()
