import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


class Stateful(nn.Module):
    """Forecast of the next value; remembers where the series of a batch ended."""

    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.state = None

    def forward(self, series):
        outputs, state = self.lstm(series.unsqueeze(-1), self.state)
        self.state = tuple(s.detach() for s in state)
        return self.out(outputs).squeeze(-1)

    def forget(self):
        self.state = None


def make_loader(count, seed, batch_size=16):
    """Waves of different frequency; the target is the series one step later."""
    generator = torch.Generator().manual_seed(seed)
    rate = 0.2 + 0.4 * torch.rand(count, 1, generator=generator)
    waves = torch.sin(rate * torch.arange(25))
    data = TensorDataset(waves[:, :-1], waves[:, 1:])
    return DataLoader(data, batch_size=batch_size, drop_last=True)


def train(seed, epochs=12, count=100):
    torch.manual_seed(seed)
    loader = make_loader(count, seed)
    model = Stateful()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(epochs):
        model.forget()
        for series, following in loader:
            loss = nn.functional.mse_loss(model(series), following)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        losses.append(loss.item())
    return model, losses


if __name__ == "__main__":
    print("losses", train(seed=0)[1])
