import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)

KINDS = ["sunset", "forest"]


def scan_folder(count, seed):
    """Stands for reading files: uint8 arrays as an image library returns them."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        kind = int(rng.integers(0, len(KINDS)))
        picture = rng.integers(0, 80, (20, 20, 3), dtype=np.uint8)
        picture[..., kind] += 120
        if number % 7 == 6:
            picture = picture.mean(axis=2).astype(np.uint8)
        yield picture, kind


def to_tensor(picture):
    """Channels first, values from 0 to 1."""
    array = picture.astype(np.float32) / 255.0
    if array.ndim == 2:
        return torch.from_numpy(array).unsqueeze(0)
    return torch.from_numpy(array).permute(2, 0, 1)


class Net(nn.Module):
    def __init__(self, classes=len(KINDS)):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.out = nn.Linear(16, classes)

    def forward(self, x):
        return self.out(self.features(x).flatten(1))


@torch.no_grad()
def label_folder(model, count, seed):
    model.eval()
    labels = []
    for picture, _ in scan_folder(count, seed):
        scores = model(to_tensor(picture).unsqueeze(0))
        labels.append(KINDS[scores.argmax(dim=1).item()])
    return labels


if __name__ == "__main__":
    torch.manual_seed(0)
    print(label_folder(Net(), count=20, seed=0))
