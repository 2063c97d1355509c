import torch
from torch import nn

torch.set_num_threads(1)


class DeepNet(nn.Module):
    """An MLP given by its widths, for example [2, 32, 32, 1]."""

    def __init__(self, widths):
        super().__init__()
        self.layers = []
        for inputs, outputs in zip(widths[:-1], widths[1:]):
            self.layers.append(nn.Linear(inputs, outputs))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.tanh(layer(x))
        return self.layers[-1](x)


def surface(points):
    return torch.sin(3 * points[:, :1]) * points[:, 1:]


def fit(seed, widths=(2, 32, 32, 1), steps=400):
    torch.manual_seed(seed)
    model = DeepNet(list(widths))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(steps):
        points = 2 * torch.rand(64, 2) - 1
        loss = nn.functional.mse_loss(model(points), surface(points))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model, loss.item()


if __name__ == "__main__":
    for hidden in ([2, 32, 1], [2, 32, 32, 1]):
        print(hidden, f"loss {fit(seed=0, widths=hidden)[1]:.4f}")
