import torch
from torch import nn

torch.set_num_threads(1)


class ScanNet(nn.Module):
    """Finds out whether a scan shows a print, a drawing or handwriting."""

    def __init__(self, size=1024, width=64, hidden=4096, classes=3):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, width, 3, padding=1), nn.ReLU())
        self.classify = nn.Sequential(
            nn.Flatten(),
            nn.Linear(width * (size // 2) ** 2, hidden), nn.ReLU(),
            nn.Linear(hidden, classes))

    def forward(self, scans):
        return self.classify(self.features(scans))


def make_scans(count, generator, size):
    """Grey scans; the classes differ in the grain of their texture."""
    kinds = torch.randint(0, 3, (count,), generator=generator)
    scans = torch.empty(count, 1, size, size)
    for i, kind in enumerate(kinds.tolist()):
        grain = 2 ** kind
        small = torch.rand(1, 1, size // grain, size // grain, generator=generator)
        scans[i] = nn.functional.interpolate(small, scale_factor=float(grain))[0]
    return scans, kinds


def train_step(model, optimizer, scans, kinds):
    loss = nn.functional.cross_entropy(model(scans), kinds)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main(size=1024):
    torch.manual_seed(0)
    model = ScanNet(size)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scans, kinds = make_scans(1, torch.Generator().manual_seed(0), size)
    return train_step(model, optimizer, scans, kinds)


if __name__ == "__main__":
    print("loss", main())
