import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class TinyUNet(nn.Module):
    """Marks the pixels of bright discs; two levels down, two up, with skip connections."""

    def __init__(self, width=8):
        super().__init__()
        self.enter = nn.Conv2d(1, width, 3, padding=1)
        self.down1 = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.down2 = nn.Conv2d(2 * width, 4 * width, 3, stride=2, padding=1)
        self.up1 = nn.ConvTranspose2d(4 * width, 2 * width, 3, stride=2, padding=1)
        self.up2 = nn.ConvTranspose2d(4 * width, width, 3, stride=2, padding=1)
        self.leave = nn.Conv2d(2 * width, 1, 1)

    def forward(self, x):
        a = F.relu(self.enter(x))
        b = F.relu(self.down1(a))
        c = F.relu(self.down2(b))
        d = torch.cat([F.relu(self.up1(c, output_size=b.shape[-2:])), b], dim=1)
        e = torch.cat([F.relu(self.up2(d, output_size=a.shape[-2:])), a], dim=1)
        return self.leave(e)


def make_scenes(count, generator, size=30):
    centre = 6 + torch.rand(count, 2, 1, 1, generator=generator) * (size - 12)
    axis = torch.arange(size, dtype=torch.float32)
    distance = (axis[:, None] - centre[:, 0]).pow(2) + (axis[None, :] - centre[:, 1]).pow(2)
    mask = (distance < 16).float().unsqueeze(1)
    return mask + 0.3 * torch.randn(mask.shape, generator=generator), mask


def train(seed, steps=30):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = TinyUNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(steps):
        scenes, masks = make_scenes(8, generator)
        loss = F.binary_cross_entropy_with_logits(model(scenes), masks)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses


if __name__ == "__main__":
    print("last loss", train(seed=0)[1][-1])
