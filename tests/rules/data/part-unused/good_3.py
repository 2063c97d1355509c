import torch
from torch import nn


def usable(x, y, trusted):
    return x[trusted], y[trusted]


def report(epoch, loss, trusted):
    """The signature is that of all reporters."""
    print(epoch, loss)


x = torch.randn(400, 6)
y = (x[:, 0] > 0).long()
trusted = torch.rand(400) < 0.8
x, y = usable(x, y, trusted)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(300):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    report(epoch, loss.item(), trusted)
