import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

COLOURS = np.array([[0, 0, 0], [200, 30, 30], [30, 200, 30]], dtype=np.float32) / 255


class ToyScenes(Dataset):
    """Images with two coloured rectangles; target is the class of each pixel."""

    def __init__(self, n, side=32, seed=0):
        rng = np.random.default_rng(seed)
        self.maps = np.zeros((n, side, side), dtype=np.int64)
        for m in self.maps:
            for cls in (1, 2):
                r, c = rng.integers(0, side - 10, 2)
                m[r:r + 10, c:c + 10] = cls
        self.noise = rng.normal(0, 0.1, (n, side, side, 3)).astype(np.float32)

    def __len__(self):
        return len(self.maps)

    def __getitem__(self, i):
        image = COLOURS[self.maps[i]] + self.noise[i]
        image = torch.from_numpy(image).permute(2, 0, 1)
        target = torch.from_numpy(self.maps[i])
        return image, target


class FCN(nn.Module):
    def __init__(self, classes=3, width=16):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, width, 3, stride=2, padding=1), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(width, classes, 2, stride=2)

    def forward(self, x):
        return self.up(self.mid(self.down(x)))


def train(epochs=2):
    loader = DataLoader(ToyScenes(64), batch_size=8, shuffle=True)
    model = FCN()
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([0.3, 1.0, 1.0]))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        total = 0.0
        for image, target in loader:
            scores = model(image)
            loss = criterion(scores, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")


if __name__ == "__main__":
    train()
