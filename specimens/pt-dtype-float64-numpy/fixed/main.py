import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


def windows(count, seed, width=16):
    """Vibration windows of a pump; a worn bearing adds a faster oscillation."""
    rng = np.random.default_rng(seed)
    worn = rng.integers(0, 2, count)
    t = np.arange(width) + rng.uniform(0, 20, (count, 1))
    signal = np.sin(0.4 * t) + 0.8 * worn[:, None] * np.sin(2.1 * t)
    return signal + 0.1 * rng.standard_normal((count, width)), worn


class Standardise:
    def __init__(self, samples):
        self.mean, self.std = samples.mean(axis=0), samples.std(axis=0)

    def __call__(self, samples):
        return torch.from_numpy((samples - self.mean) / self.std).float()


class Autoencoder(nn.Module):
    def __init__(self, width=16, code=4):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(width, 12), nn.Tanh(), nn.Linear(12, code))
        self.decode = nn.Sequential(nn.Linear(code, 12), nn.Tanh(), nn.Linear(12, width))

    def forward(self, x):
        return self.decode(self.encode(x))


def train(seed, steps=300):
    torch.manual_seed(seed)
    samples, worn = windows(400, seed)
    healthy = samples[worn == 0]
    prepare = Standardise(healthy)
    x = prepare(healthy)
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        loss = nn.functional.mse_loss(model(x), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model, prepare


def anomaly(model, prepare, samples):
    x = prepare(samples)
    with torch.no_grad():
        return (model(x) - x).pow(2).mean(dim=1)


if __name__ == "__main__":
    trained = train(seed=0)
    print(anomaly(*trained, windows(5, 1)[0]))
