import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def spirals(count, generator):
    """Points on two interleaved spirals; the label says on which."""
    labels = torch.randint(0, 2, (count,), generator=generator)
    radius = 0.2 + 0.8 * torch.rand(count, generator=generator)
    angle = 4.0 * radius + torch.pi * labels
    points = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)
    return points + 0.01 * torch.randn(points.shape, generator=generator), labels


class Trainer:
    def __init__(self, seed):
        torch.manual_seed(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.held_out = spirals(300, self.generator)
        self.net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.05)
        self.history = []

    def train_epoch(self, steps=60):
        self.net.train()
        for _ in range(steps):
            points, labels = spirals(64, self.generator)
            loss = F.cross_entropy(self.net(points), labels)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        points, labels = self.held_out
        predicted = self.net(points).argmax(dim=1)
        return (predicted == labels).mean().item()

    def run(self, epochs):
        for _ in range(epochs):
            self.train_epoch()
            self.history.append(self.validate())
        return self.history


if __name__ == "__main__":
    print(Trainer(seed=0).run(epochs=4))
