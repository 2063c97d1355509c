import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(self.fc(x))

    def infer(self, x, sigma=1.0):
        return self.fc(x) * sigma


def init(m):
    if type(m) == nn.Linear:
        m.weight.data.fill_(1)
    elif type(m) == nn.BatchNorm1d:
        m.running_mean.zero_()


net = Net()
net.apply(init)
