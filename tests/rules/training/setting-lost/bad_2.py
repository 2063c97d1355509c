from torch import nn


class Noisy(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.out = nn.Linear(4, 4)

    def forward(self, x, noise):
        if self.training:
            x = x + noise
        else:
            self.scale = 0.0
        return self.out(x) * self.scale
