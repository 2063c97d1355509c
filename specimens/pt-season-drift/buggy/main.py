import math

import torch
from torch import nn

torch.set_num_threads(1)


def machines(seed, first_day, days, per_day=8):
    """Temperature of a bearing, load and air temperature; half of the bearings are worn."""
    generator = torch.Generator().manual_seed(seed)
    day = torch.arange(first_day, first_day + days).repeat_interleave(per_day).float()
    count = len(day)
    air = 10 - 13 * torch.cos(2 * math.pi * day / 365)
    air = air + 1.5 * torch.randn(count, generator=generator)
    load = torch.rand(count, generator=generator)
    worn = torch.randint(0, 2, (count,), generator=generator)
    bearing = air + 15 + 12 * load + 9 * worn + torch.randn(count, generator=generator)
    return {"bearing": bearing, "load": load, "air": air}, worn


def features(data):
    return torch.stack([data["bearing"], data["load"]], dim=1)


def accuracy(model, x, worn):
    with torch.no_grad():
        return (model(x).argmax(dim=1) == worn).float().mean().item()


def run(seed, epochs=25):
    torch.manual_seed(seed)
    data, worn = machines(seed, first_day=0, days=60)
    x = features(data)
    mean, std = x.mean(dim=0), x.std(dim=0)
    x = (x - mean) / std
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(32):
            loss = nn.functional.cross_entropy(model(x[rows]), worn[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    for month, first_day in (("January", 0), ("April", 90), ("July", 180)):
        data, worn = machines(seed + 1, first_day, days=30)
        score = accuracy(model, (features(data) - mean) / std, worn)
        print(f"{month:8s} accuracy {score:.3f}")
    return score


if __name__ == "__main__":
    run(seed=0)
