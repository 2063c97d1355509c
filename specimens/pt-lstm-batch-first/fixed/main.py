import math

import torch
from torch import nn

torch.set_num_threads(1)

GESTURES = ["circle", "wave", "push"]


def record(count, generator, steps=30):
    """Accelerometer traces (count, steps, 3) of three gestures."""
    labels = torch.randint(0, len(GESTURES), (count,), generator=generator)
    phase = 2 * math.pi * torch.rand(count, 1, generator=generator)
    t = torch.linspace(0, 4 * math.pi, steps).unsqueeze(0) + phase
    traces = 0.1 * torch.randn(count, steps, 3, generator=generator)
    traces[:, :, 0] += torch.sin(t)
    traces[:, :, 1] += (labels[:, None] == 0) * torch.cos(t)
    traces[:, :, 2] += (labels[:, None] == 2).float()
    return traces, labels


class GestureNet(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(input_size=3, hidden_size=hidden, batch_first=True)
        self.out = nn.Linear(hidden, len(GESTURES))

    def forward(self, traces):
        _, (last_hidden, _) = self.lstm(traces)
        return self.out(last_hidden[-1])


def train(seed, steps=200, batch_size=12):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = GestureNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        traces, labels = record(batch_size, generator)
        loss = criterion(model(traces), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


if __name__ == "__main__":
    network = train(seed=0)
    print(sum(p.numel() for p in network.parameters()), "parameters trained")
