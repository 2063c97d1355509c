import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

DIRECTIONS = F.normalize(torch.tensor(
    [[1., 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [-1, 0, 1]]), dim=1)


class Compass(nn.Module):
    """A unit vector for each of six landmarks."""

    def __init__(self):
        super().__init__()
        start = DIRECTIONS + 0.3 * torch.randn(6, 3)
        start[0] = DIRECTIONS[0]
        self.table = nn.Parameter(start)

    def forward(self, landmark):
        return F.normalize(self.table[landmark], dim=1)


def angular_loss(predicted, target):
    """Mean angle between the directions in radians."""
    cosine = (predicted * target).sum(dim=1)
    return torch.acos(cosine).mean()


def train(seed, steps=100):
    torch.manual_seed(seed)
    model = Compass()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    everything = torch.arange(6)
    losses = []
    with torch.autograd.set_detect_anomaly(True):
        for _ in range(steps):
            loss = angular_loss(model(everything), DIRECTIONS)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return model, losses


if __name__ == "__main__":
    print(f"mean angle {train(seed=0)[1][-1]:.4f}")
