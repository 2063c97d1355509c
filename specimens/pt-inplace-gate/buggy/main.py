import torch
from torch import nn

torch.set_num_threads(1)


class GatedCell(nn.Module):
    """Minimal gated unit; where a sample is missing the state must not change."""

    def __init__(self, inputs, hidden):
        super().__init__()
        self.gate = nn.Linear(inputs + hidden, hidden)
        self.candidate = nn.Linear(inputs + hidden, hidden)

    def forward(self, x, state, missing):
        joined = torch.cat([x, state], dim=1)
        gate = torch.sigmoid(self.gate(joined))
        gate[missing] = 0.0
        return (1 - gate) * state + gate * torch.tanh(self.candidate(joined))


class Forecaster(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.cell = GatedCell(1, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, series, missing):
        state = torch.zeros(len(series), self.hidden)
        for t in range(series.shape[1]):
            state = self.cell(series[:, t:t + 1], state, missing[:, t])
        return self.out(state).squeeze(1)


def make_series(count, generator, length=12):
    """A line with a random slope; a fifth of the samples is missing and reads 0."""
    slope = torch.randn(count, 1, generator=generator)
    values = slope * torch.arange(length + 1) / length
    missing = torch.rand(count, length, generator=generator) < 0.2
    series = values[:, :length].masked_fill(missing, 0.0)
    return series, missing, values[:, length]


def train(seed, steps=150):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        series, missing, target = make_series(32, generator)
        loss = nn.functional.mse_loss(model(series, missing), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


if __name__ == "__main__":
    train(seed=0)
    print("trained")
