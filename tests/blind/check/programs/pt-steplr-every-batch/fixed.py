import argparse
import logging

import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset

log = logging.getLogger("train")


def get_args():
    p = argparse.ArgumentParser(description="tiny image classifier")
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--decay-every", type=int, default=2, help="epochs between decays")
    p.add_argument("--gamma", type=float, default=0.5)
    return p.parse_args()


def get_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(),
        nn.Conv2d(8, 16, 3, stride=2), nn.ReLU(),
        nn.Flatten(), nn.Linear(16 * 3 * 3, 4),
    )


def get_data(batch_size):
    y = torch.randint(0, 4, (320,))
    x = torch.randn(320, 1, 16, 16) * 0.5
    for i, c in enumerate(y.tolist()):
        r, q = divmod(c, 2)
        x[i, 0, r * 8:r * 8 + 8, q * 8:q * 8 + 8] += 1.0
    train = TensorDataset(x[:256], y[:256])
    test = TensorDataset(x[256:], y[256:])
    return DataLoader(train, batch_size, shuffle=True), DataLoader(test, batch_size)


def train_one_epoch(model, loader, criterion, optimizer, scheduler):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    scheduler.step()


@torch.no_grad()
def test(model, loader):
    model.eval()
    ok = 0
    for x, y in loader:
        ok += (model(x).argmax(1) == y).sum().item()
    return ok / len(loader.dataset)


def main():
    args = get_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model = get_model()
    train_loader, test_loader = get_data(args.batch_size)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    scheduler = StepLR(optimizer, step_size=args.decay_every, gamma=args.gamma)
    for epoch in range(args.epochs):
        train_one_epoch(model, train_loader, criterion, optimizer, scheduler)
        log.info("epoch %d acc %.3f lr %.2g", epoch, test(model, test_loader),
                 scheduler.get_last_lr()[0])


if __name__ == "__main__":
    main()
