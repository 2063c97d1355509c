import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def build(n_classes):
    features = nn.Sequential(
        nn.Linear(40, 64), nn.ReLU(),
        nn.Linear(64, 64), nn.ReLU(),
    )
    classifier = nn.Linear(64, n_classes)
    return nn.ModuleDict({"features": features, "classifier": classifier})


def freeze(module):
    for p in module.parameters():
        p.require_grad = False


def forward(model, x):
    return model["classifier"](model["features"](x))


def get_loaders(batch_size):
    x = torch.randn(400, 40)
    w = torch.randn(40, 3)
    y = (x @ w).argmax(1)
    train = TensorDataset(x[:320], y[:320])
    valid = TensorDataset(x[320:], y[320:])
    return (
        DataLoader(train, batch_size=batch_size, shuffle=True),
        DataLoader(valid, batch_size=batch_size),
    )


def main(args):
    model = build(3)
    if args.weights:
        model["features"].load_state_dict(torch.load(args.weights, map_location="cpu"))
    freeze(model["features"])

    optimizer = optim.Adam((p for p in model.parameters() if p.requires_grad), lr=args.lr)
    criterion = nn.CrossEntropyLoss()
    train_loader, valid_loader = get_loaders(args.batch_size)

    for epoch in range(args.epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(forward(model, x), y)
            loss.backward()
            optimizer.step()
        model.eval()
        good = 0
        with torch.no_grad():
            for x, y in valid_loader:
                good += (forward(model, x).argmax(1) == y).sum().item()
        print(f"epoch {epoch:02d} valid acc {good / len(valid_loader.dataset):.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", default="")
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=3)
    main(parser.parse_args())
