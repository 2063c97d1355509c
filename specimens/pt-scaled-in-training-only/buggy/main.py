import torch
from torch import nn

torch.set_num_threads(1)


def engines(seed, count):
    """Oil temperature, vibration and speed of engines -> remaining life in hours."""
    generator = torch.Generator().manual_seed(seed)
    oil = 95 + 8 * torch.randn(count, generator=generator)
    vibration = 4 + 1.2 * torch.randn(count, generator=generator)
    speed = 1500 + 200 * torch.randn(count, generator=generator)
    life = 120 - 1.5 * (oil - 95) - 8 * (vibration - 4) - 0.02 * (speed - 1500)
    life = life + 2 * torch.randn(count, generator=generator)
    return torch.stack([oil, vibration, speed], dim=1), life


class LifeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("std", torch.ones(3))

    def forward(self, scaled):
        return 100 * self.net(scaled)

    def scale(self, raw):
        return (raw - self.mean) / self.std


def train(seed, epochs=30):
    torch.manual_seed(seed)
    raw, life = engines(seed, 400)
    model = LifeModel()
    model.mean, model.std = raw.mean(dim=0), raw.std(dim=0)
    x = model.scale(raw)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(50):
            loss = nn.functional.l1_loss(model(x[rows]), life[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(f"training error {loss.item():.2f} hours")
    return model


@torch.no_grad()
def predict(model, raw):
    """Remaining life for values as the engines report them."""
    return model(raw)


def prediction_error(seed):
    model = train(seed)
    raw, life = engines(seed + 7, 200)
    return (predict(model, raw) - life).abs().mean().item()


if __name__ == "__main__":
    model = train(seed=0)
    raw, life = engines(7, 3)
    for guess, true in zip(predict(model, raw).tolist(), life.tolist()):
        print(f"predicted {guess:9.1f}  true {true:6.1f}")
