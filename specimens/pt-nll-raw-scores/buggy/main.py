import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)

GENRES = ("folk", "jazz", "metal", "techno", "waltz")


def songs(seed, count=500):
    """Tempo, loudness and ten timbre values of songs, standardised."""
    generator = torch.Generator().manual_seed(seed)
    centre = 1.2 * torch.randn(len(GENRES), 12, generator=torch.Generator().manual_seed(21))
    genre = torch.randint(0, len(GENRES), (count,), generator=generator)
    return centre[genre] + torch.randn(count, 12, generator=generator), genre


class GenreNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(12, 32), nn.ReLU())
        self.scores = nn.Linear(32, len(GENRES))

    def forward(self, x):
        return self.scores(self.body(x))


def fit(seed, epochs=12):
    torch.manual_seed(seed)
    loader = DataLoader(TensorDataset(*songs(seed)), batch_size=25, shuffle=True)
    model = GenreNet()
    criterion = nn.NLLLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        total = hits = 0
        for x, genre in loader:
            optimizer.zero_grad()
            output = model(x)
            loss = criterion(output, genre)
            loss.backward()
            optimizer.step()
            total += loss.item() / len(loader)
            hits += (output.argmax(dim=1) == genre).sum().item()
        accuracy = hits / len(loader.dataset)
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}  loss {total:10.3f}  accuracy {accuracy:.3f}")
    return total, accuracy


if __name__ == "__main__":
    fit(seed=0)
