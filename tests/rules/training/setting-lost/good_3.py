from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 4)
        self.seen = 0

    def forward(self, x):
        if self.training:
            self.seen += 1
        else:
            seen = 0
        return self.out(x)
