import torch
from torch import nn

torch.set_num_threads(1)


def make_batch(count, generator):
    """Is it a weekday? From four readings of a traffic counter."""
    weekday = torch.randint(0, 2, (count, 1), generator=generator).float()
    base = torch.tensor([[0.5, 1.0, 0.8, 1.1]])
    traffic = base * (0.6 + 0.6 * weekday) + 0.15 * torch.randn(count, 4, generator=generator)
    return traffic, weekday


def train(seed, batches=120):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    history = []
    for _ in range(batches):
        traffic, weekday = make_batch(32, generator)
        loss = criterion(model(traffic), weekday)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return model, history


def accuracy(model, count=300):
    traffic, weekday = make_batch(count, torch.Generator().manual_seed(1))
    with torch.no_grad():
        return ((model(traffic) > 0) == (weekday > 0.5)).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {accuracy(train(seed=0)[0]):.3f}")
