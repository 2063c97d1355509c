import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)


class Heartbeats(Dataset):
    """Beats of 30 samples each, regular or irregular; noise is added for training."""

    def __init__(self, seed, count=160, noise=0.3):
        generator = torch.Generator().manual_seed(seed)
        self.irregular = torch.randint(0, 2, (count,), generator=generator)
        time = torch.arange(30.0)
        peak = 10.0 + 5.0 * self.irregular + torch.randn(count, generator=generator)
        self.beats = torch.exp(-((time - peak.unsqueeze(1)) / 2.0) ** 2)
        self.noise = noise

    def __len__(self):
        return len(self.beats)

    def __getitem__(self, index):
        beat = self.beats[index]
        beat = beat + self.noise * torch.randn(30)
        return beat, self.irregular[index].float()


def train(dataset, seed, epochs=15):
    torch.manual_seed(seed)
    loader = DataLoader(dataset, batch_size=20, shuffle=True)
    model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        total = 0.0
        for beat, irregular in loader:
            optimizer.zero_grad()
            loss = criterion(model(beat), irregular)
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}  loss {total / len(loader):.4f}")
    return model


def drift(seed):
    """By how much training has changed the stored beats (root mean square)."""
    dataset = Heartbeats(seed)
    before = dataset.beats.clone()
    train(dataset, seed)
    return (dataset.beats - before).pow(2).mean().sqrt().item()


if __name__ == "__main__":
    dataset = Heartbeats(seed=0)
    print(f"largest value before training {dataset.beats.max().item():.2f}")
    train(dataset, seed=0)
    print(f"largest value after training  {dataset.beats.max().item():.2f}")
