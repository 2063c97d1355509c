import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


def letters(seed, count=1024):
    """Handwriting-like strokes: 64 ink values in 0..1, eight letters."""
    generator = torch.Generator().manual_seed(seed)
    shapes = (torch.rand(8, 64, generator=torch.Generator().manual_seed(3)) > 0.6).float()
    label = torch.randint(0, 8, (count,), generator=generator)
    ink = shapes[label] * torch.rand(count, 64, generator=generator)
    ink = (ink + 0.2 * torch.randn(count, 64, generator=generator)).clamp(0, 1)
    return TensorDataset(ink, label)


class Perceptron:
    def __init__(self, hidden=48):
        self.w1 = (0.1 * torch.randn(64, hidden)).requires_grad_()
        self.b1 = torch.zeros(hidden, requires_grad=True)
        self.w2 = (0.1 * torch.randn(hidden, 8)).requires_grad_()
        self.b2 = torch.zeros(8, requires_grad=True)

    def parameters(self):
        return [self.w1, self.b1, self.w2, self.b2]

    def __call__(self, x):
        return F.relu(x @ self.w1 + self.b1) @ self.w2 + self.b2


def cost(logits, label):
    one_hot = F.one_hot(label, 8).float()
    return -(one_hot * F.log_softmax(logits, dim=1)).sum()


def train(seed, epochs=5, batch_size=128, rate=0.5):
    torch.manual_seed(seed)
    loader = DataLoader(letters(seed), batch_size=batch_size, shuffle=True)
    model = Perceptron()
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for epoch in range(epochs):
        total = 0.0
        for x, label in loader:
            loss = cost(model(x), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += F.cross_entropy(model(x), label, reduction="sum").item()
        print(f"epoch {epoch}  cost per row {total / len(loader.dataset):.4g}")
    return total / len(loader.dataset)


if __name__ == "__main__":
    train(seed=0)
