import torch
from torch import nn

torch.set_num_threads(1)


class PriceModel:
    """Prices of flats from area, rooms and floor, in thousands; fit and predict on lists."""

    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
        self.scale = torch.tensor([100.0, 4.0, 10.0])

    def fit(self, flats, prices, epochs=300):
        x = torch.tensor(flats) / self.scale
        y = torch.tensor(prices).unsqueeze(1)
        optimizer = torch.optim.Adam(self.net.parameters(), lr=0.02)
        for _ in range(epochs):
            loss = nn.functional.mse_loss(self.net(x), y / 100.0)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return self

    @torch.no_grad()
    def predict(self, flats):
        x = torch.tensor(flats) / self.scale
        return 100.0 * self.net(x).squeeze(1)


def quote(model, requests):
    """One line of text for each requested flat."""
    lines = []
    for flat, price in zip(requests, model.predict(requests)):
        lines.append(f"{flat[0]:.0f} m2, {flat[1]:.0f} rooms: {price.item():.0f} thousand")
    return lines


def known_flats():
    flats, prices = [], []
    for area in range(30, 130, 10):
        for floor in range(0, 9, 2):
            flats.append([float(area), float(area // 25), float(floor)])
            prices.append(2.5 * area + 3.0 * floor)
    return flats, prices


if __name__ == "__main__":
    model = PriceModel().fit(*known_flats())
    print(*quote(model, [[50.0, 2.0, 3.0], [80.0, 3.0, 0.0]]), sep="\n")
    print(*quote(model, [[65.0, 2.0, 4.0]]), sep="\n")
