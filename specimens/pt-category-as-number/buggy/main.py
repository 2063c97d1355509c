import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

DISTRICTS = 30


def flats(seed, count=1500):
    """District code, standardised area and age of flats, and the rent."""
    generator = torch.Generator().manual_seed(seed)
    level = 2.0 * torch.randn(DISTRICTS, generator=torch.Generator().manual_seed(17))
    district = torch.randint(0, DISTRICTS, (count,), generator=generator)
    area = torch.randn(count, generator=generator)
    age = torch.randn(count, generator=generator)
    rent = level[district] + area - 0.4 * age + 0.3 * torch.randn(count, generator=generator)
    return district, torch.stack([area, age], dim=1), rent


def inputs(district, measures):
    code = (district.float() / DISTRICTS).unsqueeze(1)
    return torch.cat([code, measures], dim=1)


def run(seed, epochs=12):
    torch.manual_seed(seed)
    district, measures, rent = flats(seed)
    x = inputs(district, measures)
    model = nn.Sequential(nn.Linear(x.shape[1], 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for rows in torch.randperm(1200).split(40):
            loss = F.mse_loss(model(x[rows]), rent[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}  mse {loss.item():.3f}")
    with torch.no_grad():
        residual = rent[1200:] - model(x[1200:])
    return 1.0 - (residual.var() / rent[1200:].var()).item()


if __name__ == "__main__":
    print(f"explained variance {run(seed=0):.3f}")
