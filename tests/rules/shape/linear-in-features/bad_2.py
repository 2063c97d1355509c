import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 5)
        self.fc = nn.Linear(6 * 24 * 24, 10)

    def forward(self, x):
        return self.fc(self.conv(x).view(x.size(0), -1))


Net()(torch.zeros(8, 1, 32, 32))
