import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


def gas_sensors(seed, count):
    """Raw counts of eight gas sensors (around 5000) for four gases."""
    generator = torch.Generator().manual_seed(seed)
    response = 25 * torch.randn(4, 8, generator=torch.Generator().manual_seed(13))
    gas = torch.randint(0, 4, (count,), generator=generator)
    counts = 5000 + response[gas] + 15 * torch.randn(count, 8, generator=generator)
    return TensorDataset(counts, gas)


def build():
    return nn.Sequential(nn.BatchNorm1d(8), nn.Linear(8, 24), nn.BatchNorm1d(24), nn.ReLU(),
                         nn.Linear(24, 4))


def validate(model, dataset):
    model.eval()
    counts, gas = dataset.tensors
    with torch.no_grad():
        return (model(counts).argmax(dim=1) == gas).float().mean().item()


def run(seed, epochs=6):
    torch.manual_seed(seed)
    loader = DataLoader(gas_sensors(seed, 600), batch_size=30, shuffle=True)
    held = gas_sensors(seed + 45, 300)
    model = build()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    criterion = nn.CrossEntropyLoss()
    print(f"before training  accuracy {validate(model, held):.3f}")
    for epoch in range(epochs):
        model.train()
        for counts, gas in loader:
            optimizer.zero_grad()
            loss = criterion(model(counts), gas)
            loss.backward()
            optimizer.step()
        accuracy = validate(model, held)
        print(f"epoch {epoch}  loss {loss.item():.3f}  accuracy {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    run(seed=0)
