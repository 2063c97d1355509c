import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class LabelModel(nn.Module):
    def __init__(self, n_sources, n_classes):
        super().__init__()
        self.accuracy = nn.Parameter(torch.ones(n_sources))
        self.bias = nn.Parameter(torch.zeros(n_classes))
        self.n_classes = n_classes

    def forward(self, votes):
        onehot = nn.functional.one_hot(votes, self.n_classes).float()
        scores = (onehot * self.accuracy[None, :, None]).sum(1)
        return scores + self.bias


def simulate(n, sources, classes):
    truth = torch.randint(0, classes, (n,))
    noise = torch.randint(0, classes, (n, sources))
    keep = torch.rand(n, sources) < torch.linspace(0.4, 0.9, sources)
    return torch.where(keep, truth[:, None], noise), truth


def train(model, loader, epochs, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        epoch_loss = 0.0
        for votes, truth in loader:
            optimizer.zero_grad()
            loss = criterion(model(votes), truth)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        epoch_loss /= len(loader)
        print("epoch {} loss {:.4f}".format(epoch, epoch_loss))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.01)
    args = parser.parse_args()
    votes, truth = simulate(args.n, 8, 3)
    loader = DataLoader(TensorDataset(votes, truth), batch_size=20, shuffle=True)
    model = LabelModel(8, 3)
    train(model, loader, args.epochs, args.lr)
    print("accuracies", [round(a, 2) for a in model.accuracy.tolist()])


if __name__ == "__main__":
    main()
