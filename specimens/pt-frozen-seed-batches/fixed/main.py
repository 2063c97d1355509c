import torch
from torch import nn

torch.set_num_threads(1)


def set_seed(seed):
    torch.manual_seed(seed)


def houses(seed, count):
    """Heating need of a house, from twelve standardised properties."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 12, generator=generator)
    need = 1.5 * x[:, 0] - x[:, 1] + x[:, 2] * x[:, 3] + 0.5 * x[:, 4:8].sum(dim=1)
    return x, (need + 0.1 * torch.randn(count, generator=generator)).unsqueeze(1)


class HeatNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 64), nn.ReLU(),
                                    nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, x):
        return self.layers(x)


def training_step(model, optimizer, x, y, seed, batch_size=24):
    rows = torch.randint(0, len(x), (batch_size,))
    loss = nn.functional.mse_loss(model(x[rows]), y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def fit(seed, steps=400):
    set_seed(seed)
    x, y = houses(seed, 2000)
    model = HeatNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    for step in range(steps):
        loss = training_step(model, optimizer, x, y, seed)
        if step % 100 == 99:
            print(f"step {step + 1:3d}  loss {loss:.5f}")
    new_x, new_y = houses(seed + 77, 500)
    with torch.no_grad():
        return nn.functional.mse_loss(model(new_x), new_y).item()


if __name__ == "__main__":
    print(f"mean squared error on new houses {fit(seed=0):.3f}")
