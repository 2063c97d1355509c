import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class LeNet(nn.Module):
    """Two convolutions and three dense layers for 1x28x28 images."""

    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, kernel_size=5)
        self.conv2 = nn.Conv2d(6, 16, kernel_size=5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def make_images(count, generator):
    """Noisy images with one bright row; the label is the row divided by two."""
    rows = torch.randint(0, 20, (count,), generator=generator)
    images = 0.1 * torch.rand(count, 1, 28, 28, generator=generator)
    images[torch.arange(count), 0, rows + 4] += 1.0
    return images, rows // 2


def train(seed, steps=20, batch_size=32):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = LeNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    losses = []
    for step in range(steps):
        images, labels = make_images(batch_size, generator)
        loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses


if __name__ == "__main__":
    _, history = train(seed=0)
    print(f"loss {history[0]:.3f} -> {history[-1]:.3f}")
