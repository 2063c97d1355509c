import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.value = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        return self.norm(x + gate * torch.tanh(self.value(x)))


class Forecaster(nn.Module):
    def __init__(self, lags, width=32, depth=2):
        super().__init__()
        self.inp = nn.Linear(lags, width)
        self.units = nn.Sequential(*[GatedUnit(width) for _ in range(depth)])
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.units(self.inp(x))).squeeze(-1)


def lagged(series, lags):
    rows = [series[i:i + lags] for i in range(len(series) - lags)]
    return torch.stack(rows), series[lags:]


def main(lags=12):
    t = torch.arange(0, 400, dtype=torch.float32)
    series = torch.sin(t / 8) + 0.1 * torch.randn(400)
    x, y = lagged(series, lags)
    cut = 300
    model = Forecaster(lags)
    loss_fn = nn.MSELoss()
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(5):
        model.train()
        for idx in torch.randperm(cut).split(50):
            optim.zero_grad()
            loss = loss_fn(model(x[idx]), y[idx])
            loss.backward()
            optim.step()
        model.eval()
        with torch.no_grad():
            print(epoch, loss_fn(model(x[cut:]), y[cut:]).item())


main()
