import os
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def make_batch(count, generator, noise):
    """Is the sum of five numbers positive? The numbers are noisy."""
    x = torch.randn(count, 5, generator=generator)
    return x + noise * torch.randn(count, 5, generator=generator), (x.sum(dim=1) > 0).long()


class Trainer:
    def __init__(self, seed, noise, folder):
        torch.manual_seed(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.noise = noise
        self.path = os.path.join(folder, "best.pt")
        self.model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01)
        self.best = float("-inf")

    def accuracy(self):
        x, y = make_batch(400, torch.Generator().manual_seed(7), self.noise)
        with torch.no_grad():
            return (self.model(x).argmax(dim=1) == y).float().mean().item()

    def run(self, epochs=6, steps=25):
        """Trains and returns the model of the best epoch."""
        for _ in range(epochs):
            for _ in range(steps):
                x, y = make_batch(32, self.generator, self.noise)
                loss = F.cross_entropy(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            current = self.accuracy()
            if current > self.best:
                self.best = current
                torch.save(self.model.state_dict(), self.path)
        self.model.load_state_dict(torch.load(self.path))
        return self.model


def accuracy_of(noise, seed=0):
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(seed, noise, folder)
        trainer.run()
        return trainer.accuracy()


if __name__ == "__main__":
    for level in (0.1, 1.5):
        print(f"noise {level}: accuracy {accuracy_of(level):.3f}")
