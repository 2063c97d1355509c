import torch
from torch import nn

torch.set_num_threads(1)


def make_data(seed, count=512):
    """Fuel used per hour, from speed and load (both scaled to -1..1)."""
    generator = torch.Generator().manual_seed(seed)
    x = 2 * torch.rand(count, 2, generator=generator) - 1
    y = 1.0 + 0.8 * x[:, :1] + 0.5 * x[:, 1:] + 0.3 * x[:, :1] * x[:, 1:]
    y = y + 0.05 * torch.randn(count, 1, generator=generator)
    return x, y


def train(seed, epochs=5, batch_size=32):
    torch.manual_seed(seed)
    x, y = make_data(seed)
    model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    history = []
    for epoch in range(epochs):
        order = torch.randperm(len(x))
        total = 0.0
        for start in range(0, len(x), batch_size):
            rows = order[start:start + batch_size]
            optimizer.zero_grad()
            loss = criterion(model(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        history.append(total / len(x))
    return model, history


if __name__ == "__main__":
    _, history = train(seed=0)
    for epoch, loss in enumerate(history):
        print(f"epoch {epoch}  mse {loss:.4g}")
