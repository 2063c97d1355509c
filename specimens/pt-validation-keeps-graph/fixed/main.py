import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


def make_loader(count, seed, shuffle):
    """Images with a bright left or right half."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 2, (count,), generator=generator)
    images = torch.randn(count, 1, 24, 24, generator=generator)
    images[labels == 0, :, :, :12] += 0.15
    images[labels == 1, :, :, 12:] += 0.15
    return DataLoader(TensorDataset(images, labels), batch_size=16, shuffle=shuffle)


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(8 * 6 * 6, 2))


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    for images, labels in loader:
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for images, labels in loader:
            total += criterion(model(images), labels).item()
    return total / len(loader)


def main(seed=0, epochs=2):
    torch.manual_seed(seed)
    model = build_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    criterion = nn.CrossEntropyLoss()
    fit = make_loader(128, seed, shuffle=True)
    held = make_loader(320, seed + 1, shuffle=False)
    for epoch in range(epochs):
        train_epoch(model, fit, optimizer, criterion)
        print(f"epoch {epoch}  validation loss {validate(model, held, criterion):.4f}")


if __name__ == "__main__":
    main()
