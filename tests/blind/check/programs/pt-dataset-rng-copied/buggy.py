import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, get_worker_info


class NoisyTones(Dataset):
    """Clean tones; noise level, gain and offset are drawn on the fly."""

    def __init__(self, n=256, length=128, seed=0):
        self.n, self.length = n, length
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.freqs = np.linspace(2, 20, n).astype(np.float32)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = self.rng
        t = np.arange(self.length, dtype=np.float32) / self.length
        gain = rng.uniform(0.5, 2.0)
        wave = gain * np.sin(2 * np.pi * self.freqs[i] * t + rng.uniform(0, 2 * np.pi))
        wave = wave + rng.normal(0, rng.uniform(0.05, 0.4), self.length)
        return torch.tensor(wave, dtype=torch.float32), torch.tensor(self.freqs[i] / 20, dtype=torch.float32)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 9, stride=2), nn.ReLU(), nn.Conv1d(8, 8, 9, stride=2), nn.ReLU()
        )
        self.fc = nn.Linear(8 * 26, 1)

    def forward(self, x):
        return self.fc(self.conv(x.unsqueeze(1)).flatten(1)).squeeze(1)


def main():
    loader = DataLoader(NoisyTones(), batch_size=32, shuffle=True, num_workers=2)
    model = Regressor()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(2):
        total = 0.0
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(epoch, total / len(loader))


if __name__ == "__main__":
    main()
