import functools
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(4, 2)
        self.table

    @functools.cached_property
    def table(self):
        return torch.arange(4)

    @property
    def width(self):
        return self.head.in_features

    def forward(self, x):
        self.width
        return self.head(x + self.table)


print(Net()(torch.rand(2, 4)))
