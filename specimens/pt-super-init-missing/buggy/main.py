import torch
from torch import nn

torch.set_num_threads(1)


class Residual(nn.Module):
    """x plus two convolutions of x, with a projection if the width changes."""

    def __init__(self, inputs, outputs):
        self.first = nn.Conv1d(inputs, outputs, 3, padding=1)
        self.second = nn.Conv1d(outputs, outputs, 3, padding=1)
        self.project = nn.Conv1d(inputs, outputs, 1) if inputs != outputs else nn.Identity()

    def forward(self, x):
        return torch.relu(self.project(x) + self.second(torch.relu(self.first(x))))


class StepCounter(nn.Module):
    """How many steps are in a window of pedometer data?"""

    def __init__(self, width=12, blocks=2):
        super().__init__()
        widths = [1] + [width] * blocks
        self.body = nn.Sequential(*[Residual(a, b) for a, b in zip(widths, widths[1:])])
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x).mean(dim=2)).squeeze(1)


def make_windows(count, generator, length=48):
    steps = torch.randint(1, 5, (count,), generator=generator)
    windows = 0.05 * torch.randn(count, 1, length, generator=generator)
    for i in range(count):
        offsets = torch.randperm(length // 6, generator=generator)[:steps[i]] * 6 + 2
        windows[i, 0, offsets] += 1.0
    return windows, steps.float()


def train(seed, iterations=60):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = StepCounter()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(iterations):
        windows, steps = make_windows(24, generator)
        loss = nn.functional.mse_loss(model(windows), steps)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


if __name__ == "__main__":
    counter = train(seed=0)
    print(sum(p.numel() for p in counter.parameters()), "parameters")
