import torch
from torch import nn

torch.set_num_threads(1)

LOUDNESS = torch.tensor([0.5, 1.0, 2.0])      # worn out, normal, cavitating


def recordings(seed, count, length=48):
    """Noise of a pump, shape (count, 1, length); the class is its state."""
    generator = torch.Generator().manual_seed(seed)
    state = torch.randint(0, 3, (count,), generator=generator)
    noise = torch.randn(count, 1, length, generator=generator)
    return LOUDNESS[state].view(-1, 1, 1) * noise, state


class PumpNet(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.conv = nn.Conv1d(1, channels, kernel_size=5, padding=2)
        self.norm = nn.BatchNorm1d(channels)
        self.mix = nn.Conv1d(channels, channels, kernel_size=5)
        self.head = nn.Linear(channels, 3)

    def forward(self, sound):
        x = torch.relu(self.norm(self.conv(sound)))
        x = torch.relu(self.mix(x))
        return self.head(x.mean(dim=2))


def run(seed, epochs=8, batch_size=30):
    torch.manual_seed(seed)
    sound, state = recordings(seed, 450)
    model = PumpNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(epochs):
        model.train()
        for rows in torch.randperm(len(sound)).split(batch_size):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(sound[rows]), state[rows])
            loss.backward()
            optimizer.step()
        if epoch % 2 == 1:
            print(f"epoch {epoch + 1}  loss {loss.item():.3f}")
    model.eval()
    sound, state = recordings(seed + 25, 300)
    with torch.no_grad():
        return (model(sound).argmax(dim=1) == state).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {run(seed=0):.3f}")
