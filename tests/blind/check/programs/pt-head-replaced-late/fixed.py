import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, n_classes=100):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(3, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
        )
        self.fc = nn.Linear(24, n_classes)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


def load_pretrained(path=None):
    net = Backbone()
    if path is not None:
        net.load_state_dict(torch.load(path, map_location="cpu"))
    return net


class FineTuner:
    def __init__(self, net, n_classes, lr):
        self.net = net
        self.criterion = nn.CrossEntropyLoss()
        self.swap_head(n_classes)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9)

    def swap_head(self, n_classes):
        self.net.fc = nn.Linear(self.net.fc.in_features, n_classes)

    def epoch(self, loader):
        self.net.train()
        total = 0.0
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.net(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def accuracy(self, loader):
        self.net.eval()
        hits = sum((self.net(x).argmax(1) == y).sum().item() for x, y in loader)
        return hits / len(loader.dataset)


def main():
    x = torch.rand(120, 3, 16, 16)
    y = (x[:, 0].mean((1, 2)) > x[:, 1].mean((1, 2))).long()
    train = DataLoader(TensorDataset(x[:90], y[:90]), batch_size=30, shuffle=True)
    test = DataLoader(TensorDataset(x[90:], y[90:]), batch_size=30)
    tuner = FineTuner(load_pretrained(), n_classes=2, lr=0.01)
    for e in range(3):
        print(e, tuner.epoch(train), tuner.accuracy(test))


main()
