import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def make_scans(count, generator):
    """Two measurements; one scan in ten is ill and lies aside."""
    ill = (torch.rand(count, generator=generator) < 0.1).long()
    x = torch.randn(count, 2, generator=generator)
    x[:, 0] += 2.5 * ill
    return x, ill


class Trainer:
    """Counts an ill scan as often as needed to balance the classes."""

    def __init__(self, seed, weight_ill=9.0):
        torch.manual_seed(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.model = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.02)
        self.class_weights = torch.tensor([1.0, weight_ill])

    def loss(self, x, ill):
        losses = F.cross_entropy(self.model(x), ill, reduction="none")
        return (losses * self.class_weights[ill]).mean()

    def run(self, steps=150):
        for _ in range(steps):
            x, ill = make_scans(64, self.generator)
            loss = self.loss(x, ill)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return self

    @torch.no_grad()
    def recall(self, count=2000):
        """Which share of the ill scans is found?"""
        x, ill = make_scans(count, torch.Generator().manual_seed(99))
        found = self.model(x).argmax(dim=1)
        return (found[ill == 1] == 1).float().mean().item()


if __name__ == "__main__":
    print(f"recall {Trainer(seed=0).run().recall():.3f}")
