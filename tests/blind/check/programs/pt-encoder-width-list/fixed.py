import argparse

import torch
from torch import nn


def mlp(widths, last_activation):
    layers = []
    for i in range(len(widths) - 1):
        layers.append(nn.Linear(widths[i], widths[i + 1]))
        if i < len(widths) - 2 or last_activation:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class AutoEncoder(nn.Module):
    def __init__(self, n_features, hidden, code):
        super().__init__()
        widths = [n_features] + hidden + [code]
        self.encoder = mlp(widths, last_activation=True)
        self.decoder = mlp(widths[::-1], last_activation=False)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def make_data(n, d):
    basis = torch.randn(4, d)
    return torch.randn(n, 4) @ basis + 0.05 * torch.randn(n, d)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--features", type=int, default=30)
    p.add_argument("--hidden", type=int, nargs="+", default=[24, 16])
    p.add_argument("--code", type=int, default=6)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--batch-size", type=int, default=64)
    return p.parse_args()


def run(args):
    data = make_data(640, args.features)
    mean, std = data.mean(0), data.std(0)
    data = (data - mean) / std
    model = AutoEncoder(args.features, args.hidden, args.code)
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.MSELoss()
    for epoch in range(args.epochs):
        order = torch.randperm(len(data))
        losses = []
        for start in range(0, len(data), args.batch_size):
            batch = data[order[start:start + args.batch_size]]
            optim.zero_grad()
            loss = criterion(model(batch), batch)
            loss.backward()
            optim.step()
            losses.append(loss.item())
        print("epoch %d  loss %.4f" % (epoch, sum(losses) / len(losses)))


if __name__ == "__main__":
    run(parse())
