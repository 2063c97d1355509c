import torch
from torch import nn

torch.set_num_threads(1)


def weather(seed, days=800):
    """Pressure, wind, clouds, humidity, season -> change of temperature, in degrees."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(days, 5, generator=generator)
    change = 3.0 * x[:, 0] - 2.0 * x[:, 1] * torch.tanh(x[:, 4]) - x[:, 2]
    return x, change + 0.3 * torch.randn(days, generator=generator)


def build_mlp(sizes):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        layers.append(nn.ReLU())
    return nn.Sequential(*layers[:-1])


def correlation(a, b):
    a, b = a - a.mean(), b - b.mean()
    return ((a * b).sum() / (a.norm() * b.norm() + 1e-9)).item()


def run(seed, epochs=12):
    torch.manual_seed(seed)
    x, change = weather(seed)
    model = build_mlp([5, 32, 32, 1])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        for rows in torch.randperm(600).split(30):
            loss = ((model(x[rows]).squeeze(1) - change[rows]) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}  loss {loss.item():.3f}")
    with torch.no_grad():
        guess = model(x[600:]).squeeze(1)
    actual = change[600:]
    falling = actual < 0
    print(f"lowest guess {guess.min().item():.2f}, lowest change {actual.min().item():.2f}")
    return correlation(guess[falling], actual[falling])


if __name__ == "__main__":
    print(f"correlation on falling days {run(seed=0):.3f}")
