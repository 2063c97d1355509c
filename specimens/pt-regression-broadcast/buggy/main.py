import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


def make_data(seed, count=512):
    """House-price-like regression: eight features, one target per row."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 8, generator=generator)
    weights = torch.tensor([1.5, -2.0, 0.7, 0.0, 1.0, -0.5, 0.3, 2.0])
    y = x @ weights + 0.5 * x[:, 0] * x[:, 1]
    y = y + 0.1 * torch.randn(count, generator=generator)
    return x, y


def build_model():
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))


def train(seed, epochs=12):
    torch.manual_seed(seed)
    loader = DataLoader(TensorDataset(*make_data(seed)), batch_size=32, shuffle=True)
    model = build_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.MSELoss()
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch:2d}  mse {total / len(loader):.3f}")
    return model


if __name__ == "__main__":
    model = train(seed=0)
    x, y = make_data(seed=100, count=4)
    with torch.no_grad():
        print("predicted", [round(v, 2) for v in model(x).flatten().tolist()])
    print("expected ", [round(v, 2) for v in y.tolist()])
