import torch
from torch import nn

torch.set_num_threads(1)


def sightings(seed, places=150):
    """Bird counts from six facts about a place; where nobody watched there is a 0."""
    generator = torch.Generator().manual_seed(seed)
    facts = torch.randn(places, 6, generator=generator)
    effect = 0.5 * torch.randn(6, 4, generator=generator)
    counts = torch.exp((1.5 + facts @ effect).clamp(max=6.0))
    watched = torch.rand(places, 4, generator=generator) < 0.7
    return facts, counts * watched


class CountNet(nn.Module):
    """Expected count of each of four species."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 24)
        self.out = nn.Linear(24, 4)

    def forward(self, facts):
        return torch.exp(self.out(torch.tanh(self.hidden(facts))).clamp(max=10.0))


def relative_error(expected, observed):
    """Mean squared relative error over what was observed."""
    valid = observed > 0
    error = (expected - observed) / observed
    error = torch.where(valid, error, torch.zeros_like(error))
    return (error ** 2).sum() / valid.sum().clamp(min=1)


def train(seed, steps=200):
    torch.manual_seed(seed)
    facts, counts = sightings(seed)
    model = CountNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for step in range(steps):
        optimizer.zero_grad()
        loss = relative_error(model(facts), counts)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        if step % 40 == 0:
            print(f"step {step:3d}  loss {history[-1]:.4f}")
    return history


if __name__ == "__main__":
    train(seed=0)
