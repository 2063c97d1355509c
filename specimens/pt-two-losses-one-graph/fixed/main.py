import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class SharedNet(nn.Module):
    """Shape of a drawing (class) and its area (number) from one encoder."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                     nn.Flatten(), nn.Linear(8 * 36, 32), nn.ReLU())
        self.shape_head = nn.Linear(32, 2)
        self.area_head = nn.Linear(32, 1)

    def forward(self, x):
        code = self.encoder(x)
        return self.shape_head(code), self.area_head(code).squeeze(1)


def draw(count, generator, size=12):
    """Squares (0) and diamonds (1) of different size."""
    kind = torch.randint(0, 2, (count, 1, 1), generator=generator)
    radius = torch.randint(1, 5, (count, 1, 1), generator=generator)
    offset = (torch.arange(size) - size // 2).abs()
    square = torch.maximum(offset[:, None], offset[None, :]) <= radius
    diamond = offset[:, None] + offset[None, :] <= radius
    pictures = torch.where(kind == 0, square, diamond).float()
    return pictures.unsqueeze(1), kind.flatten(), pictures.mean(dim=(1, 2))


def train(seed, steps=80):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = SharedNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(steps):
        pictures, kind, area = draw(32, generator)
        scores, predicted = model(pictures)
        shape_loss = F.cross_entropy(scores, kind)
        area_loss = F.mse_loss(predicted, area)
        optimizer.zero_grad()
        (shape_loss + area_loss).backward()
        optimizer.step()
    return model


if __name__ == "__main__":
    train(seed=0)
    print("both heads trained")
