import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(20, 1)
        self.body = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))

    def forward(self, bag):
        weight = torch.softmax(self.score(bag), dim=0)
        pooled = (weight * bag).sum(dim=0, keepdim=True)
        return torch.softmax(self.body(pooled), dim=1), weight


print(Net()(torch.randn(8, 20))[0].argmax(1))
