import torch
from torch import nn
from torch.optim import lr_scheduler

torch.set_num_threads(1)

SCHEDULERS = {
    "step": lambda optimizer: lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.3),
    "plateau": lambda optimizer: lr_scheduler.ReduceLROnPlateau(optimizer, patience=1),
}


def make_batch(count, generator):
    """Yield of a field from rain and sun, both from 0 to 1."""
    weather = torch.rand(count, 2, generator=generator)
    return weather, (4 * weather[:, :1] * (1 - weather[:, :1]) * weather[:, 1:])


def validate(model, data):
    with torch.no_grad():
        return nn.functional.mse_loss(model(data[0]), data[1]).item()


def train(kind, seed, epochs=8, steps=30):
    """Learning rate and validation loss after each epoch."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    held_out = make_batch(200, generator)
    model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = SCHEDULERS[kind](optimizer)
    history = []
    for _ in range(epochs):
        for _ in range(steps):
            weather, crop = make_batch(32, generator)
            loss = nn.functional.mse_loss(model(weather), crop)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        current = validate(model, held_out)
        scheduler.step(current) if kind == "plateau" else scheduler.step()
        history.append((optimizer.param_groups[0]["lr"], current))
    return history


if __name__ == "__main__":
    for rate, value in train("plateau", seed=0):
        print(f"rate {rate:.4f} validation loss {value:.4f}")
