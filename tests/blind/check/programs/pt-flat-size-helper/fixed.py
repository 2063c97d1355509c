"""Small CNN for 28x28 grayscale glyphs."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def pooled_side(side, n_blocks):
    """Side of the feature map after n_blocks of conv(5) + maxpool(2)."""
    for _ in range(n_blocks):
        side = (side - 4) // 2
    return side


def conv_block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, kernel_size=5),
        nn.ReLU(),
        nn.MaxPool2d(2),
    )


class GlyphNet(nn.Module):
    def __init__(self, channels=(1, 16, 32), side=28, n_classes=10):
        super().__init__()
        blocks = []
        for a, b in zip(channels[:-1], channels[1:]):
            blocks.append(conv_block(a, b))
        self.features = nn.Sequential(*blocks)
        out_side = pooled_side(side, len(blocks))
        self.fc1 = nn.Linear(channels[-1] * out_side * out_side, 64)
        self.fc2 = nn.Linear(64, n_classes)

    def forward(self, x):
        x = self.features(x)
        x = torch.flatten(x, 1)
        return self.fc2(F.relu(self.fc1(x)))


def main():
    images = torch.rand(256, 1, 28, 28)
    labels = torch.randint(0, 10, (256,))
    loader = DataLoader(TensorDataset(images, labels), batch_size=32, shuffle=True)
    net = GlyphNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(2):
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        print(epoch, total / len(images))


if __name__ == "__main__":
    main()
