import math

import torch
from torch import nn

torch.set_num_threads(1)


def orchard(seed, count=300):
    """Positions of trees; those near the well are watered (1), the others are not (0)."""
    generator = torch.Generator().manual_seed(seed)
    label = torch.randint(0, 2, (count,), generator=generator)
    angle = 2 * math.pi * torch.rand(count, generator=generator)
    distance = 1.6 - 1.0 * label + 0.15 * torch.randn(count, generator=generator)
    return torch.stack([distance * angle.cos(), distance * angle.sin()], dim=1), label


def init_weights(module):
    if isinstance(module, nn.Linear):
        nn.init.constant_(module.weight, 0.1)
        nn.init.zeros_(module.bias)


class WaterNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.first = nn.Linear(2, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 2)
        self.apply(init_weights)

    def forward(self, x):
        x = torch.tanh(self.first(x))
        return self.out(torch.tanh(self.second(x)))


def train(seed, steps=250):
    torch.manual_seed(seed)
    x, label = orchard(seed)
    model = WaterNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for step in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), label)
        loss.backward()
        optimizer.step()
        if step % 50 == 49:
            print(f"step {step + 1:3d}  loss {loss.item():.4f}")
    return model


@torch.no_grad()
def evaluate(model, seed):
    x, label = orchard(seed)
    return (model(x).argmax(dim=1) == label).float().mean().item()


if __name__ == "__main__":
    model = train(seed=0)
    print(f"accuracy {evaluate(model, 900):.3f}")
    print("first weights", [round(v, 4) for v in model.first.weight[:, 0].tolist()[:4]])
