import torch
import torch.nn as nn


def double(inside, outside):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, padding=1),
        nn.ReLU(inplace=True),
        nn.Conv2d(outside, outside, 3, padding=1),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, classes=1):
        super().__init__()
        self.down1 = double(3, 64)
        self.down2 = double(64, 128)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        self.up1 = double(128 + 64, 64)
        self.last = nn.Conv2d(64, classes, 1)

    def forward(self, x):
        first = self.down1(x)
        x = self.pool(first)
        x = self.down2(x)
        x = self.up(x)
        x = torch.cat([x, first], dim=1)
        x = self.up1(x)
        return self.last(x)
