import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def xor_blobs(n=400):
    centre = torch.randint(0, 2, (n, 2)).float()
    x = centre * 2 - 1 + 0.3 * torch.randn(n, 2)
    y = (centre[:, 0] != centre[:, 1]).long()
    return TensorDataset(x, y)


class Net(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.l1 = nn.Linear(2, hidden)
        self.l2 = nn.Linear(hidden, 2)

    def forward(self, x):
        return self.l2(torch.relu(self.l1(x)))


def accuracy(net, loader):
    net.eval()
    correct = total = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (net(x).argmax(dim=1) == y).sum().item()
            total += y.numel()
    return correct / total


data = xor_blobs()
train_set, val_set = random_split(data, [320, 80])
train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
val_loader = DataLoader(val_set, batch_size=80)

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", factor=0.5, patience=2)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(12):
    net.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss_fn(net(x), y).backward()
        optimizer.step()
    val_acc = accuracy(net, val_loader)
    scheduler.step(val_acc)
    print(epoch, f"{val_acc:.3f}", optimizer.param_groups[0]["lr"])
