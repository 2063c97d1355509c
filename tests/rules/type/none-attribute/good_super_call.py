import torch
import torch.nn as nn


class Forecaster(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def __call__(self, data, samples=1):
        """Adds the argument `samples`."""
        return super().__call__(data, samples)

    def forward(self, data, samples):
        return self.model(data).expand(samples, -1, -1)


forecaster = Forecaster(nn.Linear(4, 2))
out = forecaster(torch.zeros(8, 4), samples=3)
print(out.shape)
