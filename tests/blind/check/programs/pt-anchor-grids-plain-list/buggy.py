import torch
import torch.nn as nn


def make_grid(size):
    ys, xs = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    return torch.stack([xs, ys], dim=-1).float()


class MultiScaleHead(nn.Module):
    """Predicts one box centre offset per cell at several scales."""

    def __init__(self, in_channels, sizes):
        super().__init__()
        self.sizes = sizes
        self.convs = nn.ModuleList([nn.Conv2d(c, 2, 1) for c in in_channels])
        self.grids = [make_grid(s) for s in sizes]

    def forward(self, feats):
        outs = []
        for i, (conv, f) in enumerate(zip(self.convs, feats)):
            off = torch.sigmoid(conv(f)).permute(0, 2, 3, 1)
            centre = (off + self.grids[i]) / self.sizes[i]
            outs.append(centre.flatten(1, 2))
        return torch.cat(outs, dim=1)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, stride=4, padding=1), nn.ReLU())
        self.down = nn.Sequential(nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU())
        self.head = MultiScaleHead([8, 16], [16, 8])

    def forward(self, x):
        a = self.stem(x)
        b = self.down(a)
        return self.head([a, b])


def train(steps=4):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Detector().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(steps):
        images = torch.rand(4, 3, 64, 64, device=device)
        centres = torch.rand(4, 1, 2, device=device)
        pred = model(images)
        loss = (pred - centres).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, loss.item())


if __name__ == "__main__":
    train()
