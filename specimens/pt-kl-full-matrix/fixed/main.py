import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def kl_to_standard_normal(mean, variance):
    """KL(N(mean, diag(variance)) || N(0, 1)), one value per row."""
    return 0.5 * (variance + mean.pow(2) - 1 - variance.log()).sum(dim=1)


class VAE(nn.Module):
    def __init__(self, inputs=32, code=24, hidden=48):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh(),
                                     nn.Linear(hidden, 2 * code))
        self.decoder = nn.Sequential(nn.Linear(code, hidden), nn.Tanh(),
                                     nn.Linear(hidden, inputs))

    def loss(self, x):
        mean, raw = self.encoder(x).chunk(2, dim=1)
        variance = F.softplus(raw) + 1e-4
        code = mean + variance.sqrt() * torch.randn_like(mean)
        error = (self.decoder(code) - x).pow(2).sum(dim=1)
        return (error + kl_to_standard_normal(mean, variance)).mean()


def make_batch(count, generator):
    """Smooth curves with two random parameters."""
    a, b = torch.randn(2, count, 1, generator=generator)
    t = torch.linspace(0, 3, 32)
    return a * torch.sin(t) + b * torch.cos(2 * t)


def train(seed, steps=40):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    losses = []
    for _ in range(steps):
        loss = model.loss(make_batch(16, generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


if __name__ == "__main__":
    history = train(seed=0)
    print(f"loss {history[0]:.2f} -> {history[-1]:.2f}")
