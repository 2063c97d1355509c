import torch.nn as nn
from torchsummary import summary


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.out = nn.Linear(1000, 10)

    def forward(self, x):
        return self.out(self.conv(x).flatten(1))


summary(Net(), (1, 28, 28))
