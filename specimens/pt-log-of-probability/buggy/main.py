import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def make_mail(seed, count=400):
    """Word counts of mails; spam uses the first five words more often."""
    generator = torch.Generator().manual_seed(seed)
    spam = (torch.rand(count, generator=generator) < 0.4).float()
    rates = torch.full((count, 20), 4.0)
    rates[:, :5] += 12.0 * spam.unsqueeze(1)
    return torch.poisson(rates, generator=generator), spam


class SpamFilter(nn.Module):
    def __init__(self, words=20):
        super().__init__()
        self.hidden = nn.Linear(words, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, counts):
        return self.out(F.relu(self.hidden(counts))).squeeze(1)


def loss_function(logits, target):
    p = torch.sigmoid(logits)
    return -(target * torch.log(p) + (1 - target) * torch.log(1 - p)).mean()


def train(seed, steps=60):
    torch.manual_seed(seed)
    counts, spam = make_mail(seed)
    model = SpamFilter()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    history = []
    for step in range(steps):
        loss = loss_function(model(counts), spam)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return model, history


if __name__ == "__main__":
    _, history = train(seed=0)
    for step in range(0, len(history), 10):
        print(f"step {step:3d}  loss {history[step]:.5f}")
