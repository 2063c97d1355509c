import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


def concrete(seed, count=600):
    """Strength of concrete from standardised amounts of its ingredients."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 8, generator=generator)
    strength = x[:, 0] + 0.6 * x[:, 1] - 0.8 * x[:, 2].abs()
    return x, (strength + 0.1 * torch.randn(count, generator=generator)).unsqueeze(1)


def build():
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(),
                          nn.Linear(32, 1))
    for layer in model:
        if isinstance(layer, nn.Linear):
            nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")
            nn.init.constant_(layer.bias, -4.0)
    return model


def r_squared(model, x, y):
    with torch.no_grad():
        residual = ((model(x) - y) ** 2).sum()
    return 1.0 - (residual / ((y - y.mean()) ** 2).sum()).item()


def run(seed, epochs=12):
    torch.manual_seed(seed)
    x, y = concrete(seed)
    loader = DataLoader(TensorDataset(x[:480], y[:480]), batch_size=32, shuffle=True)
    model = build()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for epoch in range(epochs):
        for batch, target in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), target)
            loss.backward()
            optimizer.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch}  loss {loss.item():.3f}")
    with torch.no_grad():
        spread = model(x[480:]).std().item()
    print(f"standard deviation of the predictions {spread:.2e}")
    return r_squared(model, x[480:], y[480:])


if __name__ == "__main__":
    print(f"explained variance {run(seed=0):.3f}")
