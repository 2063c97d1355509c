import math

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


def measure(count, generator):
    """Noisy readings of a tide gauge over one day, hours and metres."""
    hours = 24 * torch.rand(count, 1, generator=generator)
    level = 2.0 + 1.5 * torch.sin(2 * math.pi * hours / 12.4)
    return hours, level + 0.1 * torch.randn(count, 1, generator=generator)


class TideModel(nn.Module):
    """A sine whose mean, amplitude, period and phase are learnt."""

    def __init__(self):
        super().__init__()
        self.mean = nn.Parameter(torch.tensor(1.0))
        self.amplitude = nn.Parameter(torch.tensor(1.0))
        self.period = nn.Parameter(torch.tensor(12.0))
        self.phase = nn.Parameter(torch.tensor(0.0))

    def forward(self, hours):
        angle = 2 * math.pi * hours / self.period + self.phase
        return self.mean + self.amplitude * torch.sin(angle)


def fit(seed, steps=400):
    hours, level = measure(200, torch.Generator().manual_seed(seed))
    model = TideModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        loss = nn.functional.mse_loss(model(hours), level)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def table(model):
    """Highest and lowest level of each quarter of the day."""
    hours = torch.linspace(0, 24, 97)
    levels = model(hours).numpy()
    return [(float(part.max()), float(part.min())) for part in np.array_split(levels, 4)]


if __name__ == "__main__":
    for quarter, (high, low) in enumerate(table(fit(seed=0)), start=1):
        print(f"quarter {quarter}: high {high:.2f} m, low {low:.2f} m")
