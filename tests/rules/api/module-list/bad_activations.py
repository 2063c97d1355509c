import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net()
