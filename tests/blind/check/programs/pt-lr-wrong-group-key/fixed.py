import math

import torch
import torch.nn as nn


class WarmupCosine:
    """Sets the learning rate by hand before every step."""

    def __init__(self, optimizer, peak, warmup, total):
        self.optimizer = optimizer
        self.peak, self.warmup, self.total = peak, warmup, total
        self.n = 0

    def value(self):
        if self.n < self.warmup:
            return self.peak * (self.n + 1) / self.warmup
        frac = (self.n - self.warmup) / max(1, self.total - self.warmup)
        return 0.5 * self.peak * (1 + math.cos(math.pi * frac))

    def step(self):
        lr = self.value()
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        self.n += 1
        return lr


def batches(n, size=32):
    for _ in range(n):
        x = torch.randn(size, 8)
        y = torch.sin(x).sum(1, keepdim=True)
        yield x, y


def build_optimizer(model, lr, decay):
    decayed = [p for p in model.parameters() if p.ndim > 1]
    rest = [p for p in model.parameters() if p.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": decay}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr)


def main(steps=200, peak=5e-3):
    model = nn.Sequential(nn.Linear(8, 64), nn.GELU(), nn.Linear(64, 1))
    optimizer = build_optimizer(model, peak, decay=1e-2)
    schedule = WarmupCosine(optimizer, peak, warmup=20, total=steps)
    criterion = nn.MSELoss()
    for step, (x, y) in enumerate(batches(steps)):
        lr = schedule.step()
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step:4d} lr {lr:.5f} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
