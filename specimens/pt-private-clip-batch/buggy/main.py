import torch
from torch import nn

torch.set_num_threads(1)

BOUND = 1.0          # largest norm of one person's gradient


def salaries(seed, count=30):
    """Education, experience and hours (standardised) -> salary; one person earns a lot."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 3, generator=generator)
    y = x @ torch.tensor([1.0, 0.7, 0.3]) + 0.2 * torch.randn(count, generator=generator)
    y[0] = 60.0
    return x, y


def flat_gradient(model, x, y):
    loss = nn.functional.mse_loss(model(x).squeeze(1), y)
    grads = torch.autograd.grad(loss, list(model.parameters()))
    return torch.cat([g.reshape(-1) for g in grads])


def clip(vector):
    return vector * min(1.0, BOUND / (vector.norm().item() + 1e-12))


def private_sum(model, x, y):
    """Sum of the gradients of all persons, each with a norm of at most BOUND."""
    return clip(flat_gradient(model, x, y)) * len(x)


def train(model, x, y, seed, steps=20, rate=0.1, noise=0.5):
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        total = private_sum(model, x, y)
        total = total + noise * BOUND * torch.randn(total.shape, generator=generator)
        step = rate * total / len(x)
        with torch.no_grad():
            for parameter, part in zip(model.parameters(), step.split(
                    [p.numel() for p in model.parameters()])):
                parameter -= part.view_as(parameter)


def influence(seed):
    """Largest change of the private sum when one person is left out, over the bound."""
    torch.manual_seed(seed)
    x, y = salaries(seed)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    train(model, x, y, seed)
    whole = private_sum(model, x, y)
    change = [(whole - private_sum(model, torch.cat([x[:i], x[i + 1:]]),
                                   torch.cat([y[:i], y[i + 1:]]))).norm().item()
              for i in range(len(x))]
    return max(change) / BOUND


if __name__ == "__main__":
    print(f"one person changes the sum by up to {influence(seed=0):.2f} times the bound")
