import torch
from torch import nn
from torch.utils.data import ConcatDataset, DataLoader, TensorDataset

N_CLASSES, PER_CLASS, DIM = 5, 120, 10


def class_set(label, n):
    g = torch.Generator().manual_seed(label)
    centre = torch.randn(DIM, generator=g) * 1.5
    x = centre + torch.randn(n, DIM)
    return TensorDataset(x, torch.full((n,), label, dtype=torch.long))


train_set = ConcatDataset([class_set(c, PER_CLASS) for c in range(N_CLASSES)])
test_set = ConcatDataset([class_set(c, 20) for c in range(N_CLASSES)])

train_loader = DataLoader(train_set, batch_size=24)
test_loader = DataLoader(test_set, batch_size=100)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(DIM, 32)
        self.norm = nn.BatchNorm1d(32)
        self.out = nn.Linear(32, N_CLASSES)

    def forward(self, x):
        return self.out(torch.relu(self.norm(self.hidden(x))))


def train(net, epochs=5):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(epochs):
        net.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "test acc", test(net))


@torch.no_grad()
def test(net):
    net.eval()
    hits = 0
    for x, y in test_loader:
        hits += (net(x).argmax(1) == y).sum().item()
    return hits / len(test_set)


train(Net())
