import queue
import threading

import torch
from torch import nn

torch.set_num_threads(1)


class Prefetcher:
    """Batches of noisy sine samples, prepared by threads while the model trains."""

    def __init__(self, samples, seed, workers=2, batch_size=8, make_queue=queue.Queue):
        self.samples, self.seed, self.batch_size = samples, seed, batch_size
        self.raw, self.ready = make_queue(), make_queue()
        self.workers = [threading.Thread(target=self.prepare, daemon=True)
                        for _ in range(workers)]
        self.reader = threading.Thread(target=self.read, daemon=True)

    def read(self):
        generator = torch.Generator().manual_seed(self.seed)
        for _ in range(self.samples // self.batch_size):
            self.raw.put(torch.rand(self.batch_size, 1, generator=generator))
        self.raw.put(None)

    def prepare(self):
        while True:
            x = self.raw.get()
            if x is None:
                break
            self.ready.put((x, torch.sin(6 * x)))
        self.ready.put(None)

    def __iter__(self):
        for thread in [self.reader] + self.workers:
            thread.start()
        ended = 0
        while ended < len(self.workers):
            batch = self.ready.get()
            if batch is None:
                ended += 1
            else:
                yield batch


def train(seed, samples=400, make_queue=queue.Queue):
    """Mean loss of one pass over the samples and the number of batches seen."""
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for x, y in Prefetcher(samples, seed, make_queue=make_queue):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses), len(losses)


if __name__ == "__main__":
    print("mean loss %.3f over %d batches" % train(seed=0))
