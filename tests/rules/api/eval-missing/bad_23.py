import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout2d(0.5)
        self.out = nn.Conv2d(1, 10, 28)

    def forward(self, x):
        return self.out(self.drop(x)).flatten(1)


def fit(model, loaders, optimizer, criterion, epochs):
    for epoch in range(epochs):
        right = 0
        for phase in ('train', 'val'):
            for x, y in loaders[phase]:
                outputs = model(x)
                loss = criterion(outputs, y)
                if phase == 'train':
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                else:
                    right += (outputs.argmax(1) == y).sum().item()
        print(epoch, right)
