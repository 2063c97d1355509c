import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)

COLOURS = torch.tensor([[0.9, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.9], [0.8, 0.8, 0.1]])


class Signs(Dataset):
    """Pictures of 12x12 pixels with a square sign; the label is its colour."""

    def __init__(self, seed, count, size=12):
        generator = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, len(COLOURS), (count,), generator=generator)
        self.pictures = torch.rand(count, size, size, 3, generator=generator)
        places = torch.randint(0, size - 4, (count, 2), generator=generator).tolist()
        for picture, label, (row, column) in zip(self.pictures, self.labels, places):
            picture[row:row + 4, column:column + 4] = COLOURS[label]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        picture = self.pictures[index]
        height, width, channels = picture.shape
        return picture.permute(2, 0, 1), self.labels[index]


def build():
    return nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU(),
                         nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(16, len(COLOURS)))


def run(seed, epochs=8):
    torch.manual_seed(seed)
    loader = DataLoader(Signs(seed, 300), batch_size=20, shuffle=True)
    model = build()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        for picture, label in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(picture), label)
            loss.backward()
            optimizer.step()
        if epoch % 2 == 1:
            print(f"epoch {epoch + 1}  loss {loss.item():.3f}")
    hits = 0
    with torch.no_grad():
        for picture, label in DataLoader(Signs(seed + 10, 200), batch_size=200):
            hits += (model(picture).argmax(dim=1) == label).sum().item()
    return hits / 200


if __name__ == "__main__":
    print(f"accuracy {run(seed=0):.3f}")
