import torch


class Running:
    def __init__(self, width):
        self.count = 0
        self.total = torch.zeros(width, dtype=torch.float32)
        self.squares = torch.zeros(width, dtype=torch.float32)

    def update(self, batch):
        self.count += len(batch)
        self.total += batch.sum(dim=0)
        self.squares += (batch ** 2).sum(dim=0)

    def variance(self):
        return self.squares / self.count - (self.total / self.count) ** 2


running = Running(4)
for _ in range(10):
    running.update(1000 + torch.randn(32, 4))
print(running.variance())
