import math

import torch
from torch import nn

torch.set_num_threads(1)


def make_rings(seed, count=600):
    """Points on three noisy rings around the origin; the label is the ring."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 3, (count,), generator=generator)
    angle = 2 * math.pi * torch.rand(count, generator=generator)
    radius = 0.5 + labels + 0.1 * torch.randn(count, generator=generator)
    x = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)
    return x, labels


def build_model(width=32, depth=6):
    layers = [nn.Linear(2, width), nn.Sigmoid()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), nn.Sigmoid()]
    layers.append(nn.Linear(width, 3))
    return nn.Sequential(*layers)


def train(seed, epochs=12, batch_size=60):
    torch.manual_seed(seed)
    x, labels = make_rings(seed)
    model = build_model()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.004)
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(batch_size):
            loss = criterion(model(x[rows]), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1:2d}  loss {loss.item():.4f}")
    return model


def accuracy(model, x, labels):
    with torch.no_grad():
        return (model(x).argmax(dim=1) == labels).float().mean().item()


if __name__ == "__main__":
    model = train(seed=0)
    print(f"accuracy {accuracy(model, *make_rings(seed=1000)):.3f}")
