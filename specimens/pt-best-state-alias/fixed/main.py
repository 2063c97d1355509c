import copy

import torch
from torch import nn

torch.set_num_threads(1)


def make_data(count, generator, inputs=30):
    """Thirty inputs of which three matter; few and noisy samples."""
    x = torch.randn(count, inputs, generator=generator)
    y = x[:, 0] - 0.5 * x[:, 1] + 0.25 * x[:, 2]
    return x, y + torch.randn(count, generator=generator)


class Regressor(nn.Module):
    def __init__(self, inputs=30, hidden=128):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def validation_loss(model, data):
    with torch.no_grad():
        return nn.functional.mse_loss(model(data[0]), data[1]).item()


def train(seed, epochs=200):
    """The model with the best weights, its validation data, and its validation loss."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    x, y = make_data(60, generator)
    held_out = make_data(200, generator)
    model = Regressor()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    best_loss, best_state = float("inf"), None
    for _ in range(epochs):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        current = validation_loss(model, held_out)
        if current < best_loss:
            best_loss, best_state = current, copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)
    return model, held_out, best_loss


if __name__ == "__main__":
    network, data, best = train(seed=0)
    print(f"best validation loss {best:.4f}")
    print(f"validation loss of the returned model {validation_loss(network, data):.4f}")
