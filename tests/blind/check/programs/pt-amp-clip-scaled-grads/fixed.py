import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
use_amp = device.type == "cuda"


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
        )

    def forward(self, x):
        return x + self.body(x)


def make_model(d_in, d_out, width=64, depth=3):
    blocks = [Residual(width) for _ in range(depth)]
    return nn.Sequential(nn.Linear(d_in, width), *blocks, nn.Linear(width, d_out))


def train_epoch(model, loader, optimizer, scaler, max_norm=1.0):
    model.train()
    total = 0.0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        with autocast(enabled=use_amp):
            loss = nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        total += loss.item() * len(y)
    return total / len(loader.dataset)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = 0
    for x, y in loader:
        hits += (model(x.to(device)).argmax(1).cpu() == y).sum().item()
    return hits / len(loader.dataset)


def main():
    x = torch.randn(800, 16)
    y = (x[:, 0] * x[:, 1] > 0).long() + 2 * (x[:, 2] > 0).long()
    train_dl = DataLoader(TensorDataset(x[:640], y[:640]), batch_size=64, shuffle=True)
    test_dl = DataLoader(TensorDataset(x[640:], y[640:]), batch_size=160)
    model = make_model(16, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scaler = GradScaler(enabled=use_amp)
    for epoch in range(4):
        loss = train_epoch(model, train_dl, optimizer, scaler)
        print(epoch, round(loss, 4), accuracy(model, test_dl))


if __name__ == "__main__":
    main()
