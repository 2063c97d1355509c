import torch
import torch.nn as nn


class Cells(nn.Module):
    def __init__(self, classes=0):
        super().__init__()
        self.classes = classes
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        x = self.layer(x) * self.drop_rate
        return x.view(-1, self.classes)


class Detector(nn.Module):
    def forward(self, x):
        return self.head(self.base(x))


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer_s(x)
