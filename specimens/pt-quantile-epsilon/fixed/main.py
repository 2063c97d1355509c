import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)

EPSILON = 1e-6


def measure(setting, generator):
    """Yield of a process at a setting between -2 and 2, with measurement noise."""
    yield_ = torch.sin(2 * setting) - 0.3 * setting ** 2
    return yield_ + 0.05 * torch.randn(setting.shape, generator=generator)


class Surrogate(nn.Module):
    """Predicts mean and deviation of the yield."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, setting):
        mean, log_std = self.body(setting).unbind(dim=1)
        return Normal(mean, log_std.clamp(-3, 1).exp())


def fit(setting, observed, steps=150):
    model = Surrogate()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = -model(setting).log_prob(observed).mean()
        loss.backward()
        optimizer.step()
    return model


def expected_gain(model, candidates, best, points=257):
    """Mean of max(yield - best, 0) over the quantiles of each candidate's prediction."""
    probability = torch.linspace(0, 1, points).clamp(EPSILON, 1 - EPSILON)
    with torch.no_grad():
        quantile = model(candidates).icdf(probability.unsqueeze(1))
    return (quantile - best).clamp(min=0).mean(dim=0)


def best_gain(seed):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    setting = 4 * torch.rand(40, 1, generator=generator) - 2
    observed = measure(setting.squeeze(1), generator)
    model = fit(setting, observed)
    candidates = torch.linspace(-2, 2, 41).unsqueeze(1)
    gain = expected_gain(model, candidates, observed.max())
    print(f"try setting {candidates[gain.argmax()].item():+.2f}, gain {gain.max().item():.4f}")
    return gain.max().item()


if __name__ == "__main__":
    best_gain(seed=0)
