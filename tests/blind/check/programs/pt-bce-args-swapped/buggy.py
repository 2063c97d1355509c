import torch
import torch.nn as nn
import torch.nn.functional as F


class SegNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, 1, 1),
        )

    def forward(self, x):
        return torch.sigmoid(self.net(x))


def disk_batch(n, size=24):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    cx = torch.randint(6, size - 6, (n, 1, 1))
    cy = torch.randint(6, size - 6, (n, 1, 1))
    r = torch.randint(3, 6, (n, 1, 1))
    mask = ((xx - cx) ** 2 + (yy - cy) ** 2 <= r ** 2).float()
    image = mask + 0.3 * torch.randn(n, size, size)
    return image.unsqueeze(1), mask.unsqueeze(1)


def dice(pred, mask, eps=1e-6):
    pred = (pred > 0.5).float()
    inter = (pred * mask).sum((1, 2, 3))
    return ((2 * inter + eps) / (pred.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + eps)).mean()


def train(steps=60):
    model = SegNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(steps):
        model.train()
        images, masks = disk_batch(8)
        probs = model(images)
        loss = F.binary_cross_entropy(masks, probs)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            model.eval()
            with torch.no_grad():
                vi, vm = disk_batch(16)
                print(step, loss.item(), dice(model(vi), vm).item())
    return model


if __name__ == "__main__":
    train()
