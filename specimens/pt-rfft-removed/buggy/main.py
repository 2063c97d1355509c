import math

import torch
from torch import nn

torch.set_num_threads(1)


def spectrum(sound):
    """Magnitudes of the frequencies of each row."""
    parts = torch.rfft(sound, 1)
    return (parts.pow(2).sum(dim=-1) + 1e-8).sqrt()


class Synthesiser(nn.Module):
    """A sound from pitch and loudness: learnt weights of eight harmonics."""

    def __init__(self, length=64, harmonics=8):
        super().__init__()
        self.weights = nn.Parameter(torch.full((harmonics,), 0.1))
        self.register_buffer("time", torch.arange(length) / length)
        self.register_buffer("number", torch.arange(1, harmonics + 1))

    def forward(self, pitch, loudness):
        angle = 2 * math.pi * pitch[:, None, None] * self.number[:, None] * self.time
        return loudness[:, None] * (self.weights[:, None] * torch.sin(angle)).sum(dim=1)


def record(count, generator):
    """An instrument whose harmonics fall off with their number; the phase is unknown."""
    pitch = torch.randint(1, 4, (count,), generator=generator).float()
    loudness = 0.5 + torch.rand(count, generator=generator)
    number = torch.arange(1, 9)
    phase = 6 * torch.rand(count, 8, 1, generator=generator)
    angle = 2 * math.pi * pitch[:, None, None] * number[:, None] * torch.arange(64) / 64 + phase
    return pitch, loudness, loudness[:, None] * (torch.sin(angle) / number[:, None]).sum(dim=1)


def train(seed, steps=150):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = Synthesiser()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        pitch, loudness, sound = record(16, generator)
        loss = nn.functional.l1_loss(spectrum(model(pitch, loudness)), spectrum(sound))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


if __name__ == "__main__":
    print("harmonics", train(seed=0).weights.tolist())
