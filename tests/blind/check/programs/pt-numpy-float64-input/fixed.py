import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader, random_split


class SineDataset(Dataset):
    """Noisy sines of two frequencies, one channel."""

    def __init__(self, n=240, length=64):
        self.n, self.length = n, length
        self.freq = np.random.choice([2.0, 5.0], size=n)
        self.phase = np.random.uniform(0, 2 * np.pi, size=n)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        t = np.linspace(0, 1, self.length)
        wave = np.sin(2 * np.pi * self.freq[i] * t + self.phase[i])
        wave = wave + 0.1 * np.random.randn(self.length)
        label = int(self.freq[i] > 3)
        return torch.from_numpy(wave[None, :]).float(), label


net = nn.Sequential(
    nn.Conv1d(1, 8, 7, stride=2, padding=3),
    nn.BatchNorm1d(8),
    nn.ReLU(),
    nn.Conv1d(8, 16, 7, stride=2, padding=3),
    nn.ReLU(),
    nn.AdaptiveAvgPool1d(1),
    nn.Flatten(),
    nn.Linear(16, 2),
)

full = SineDataset()
train_set, val_set = random_split(full, [200, 40])
train_dl = DataLoader(train_set, batch_size=20, shuffle=True)
val_dl = DataLoader(val_set, batch_size=40)

criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for epoch in range(3):
    net.train()
    for wave, label in train_dl:
        optimizer.zero_grad()
        loss = criterion(net(wave), label)
        loss.backward()
        optimizer.step()
    net.eval()
    right = 0
    with torch.no_grad():
        for wave, label in val_dl:
            right += (net(wave).argmax(1) == label).sum().item()
    print(f"epoch {epoch} val acc {right / len(val_set):.2f}")
