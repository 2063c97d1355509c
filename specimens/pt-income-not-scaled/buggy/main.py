import torch
from torch import nn

torch.set_num_threads(1)

COLUMNS = ("income", "age", "share paid by card", "newsletter", "years as customer")


def customers(seed, count=1000):
    generator = torch.Generator().manual_seed(seed)
    income = torch.exp(10.3 + 0.4 * torch.randn(count, generator=generator))
    age = 45 + 15 * torch.randn(count, generator=generator)
    share = torch.rand(count, generator=generator)
    newsletter = (torch.rand(count, generator=generator) < 0.5).float()
    years = -4 * torch.log(torch.rand(count, generator=generator) + 1e-3)
    appeal = (income.log() - 10.3) / 0.4 - (age - 45) / 15 + 6 * (share - 0.5)
    appeal = appeal + 2 * newsletter - 1 + 0.2 * torch.randn(count, generator=generator)
    table = torch.stack([income, age, share, newsletter, years], dim=1)
    return table, (appeal > 0).float()


def prepare(table, fit_rows):
    return table


def run(seed, epochs=15):
    torch.manual_seed(seed)
    table, buys = customers(seed)
    fit_rows = torch.arange(750)
    x = prepare(table, fit_rows)
    model = nn.Sequential(nn.Linear(len(COLUMNS), 16), nn.Tanh(), nn.Linear(16, 1),
                          nn.Flatten(0))
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for rows in fit_rows[torch.randperm(750)].split(25):
            loss = criterion(model(x[rows]), buys[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}  loss {loss.item():.3f}")
    with torch.no_grad():
        return ((model(x[750:]) > 0) == buys[750:].bool()).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {run(seed=0):.3f}")
