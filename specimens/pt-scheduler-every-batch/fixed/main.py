import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)


def make_dataset(seed, count=1200, classes=6):
    """Spectra of six minerals: two peaks each, on a noisy background."""
    generator = torch.Generator().manual_seed(seed)
    channel = torch.arange(48.0)
    peaks = torch.tensor([[8., 30.], [12., 34.], [8., 34.], [16., 40.], [20., 30.], [12., 40.]])
    label = torch.randint(0, classes, (count,), generator=generator)
    shift = torch.randn(count, 1, 1, generator=generator)
    centre = peaks[label].unsqueeze(2) + shift
    spectra = torch.exp(-((channel - centre) / 2.0) ** 2).sum(dim=1)
    spectra = spectra + 0.25 * torch.randn(count, 48, generator=generator)
    return TensorDataset(spectra, label)


def accuracy(model, loader):
    model.eval()
    hits = seen = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(dim=1) == y).sum().item()
            seen += len(y)
    model.train()
    return hits / seen


def run(seed, epochs=8):
    torch.manual_seed(seed)
    train_set, held_out = random_split(make_dataset(seed), [1000, 200])
    train_loader = DataLoader(train_set, batch_size=25, shuffle=True)
    test_loader = DataLoader(held_out, batch_size=200)
    model = nn.Sequential(nn.Linear(48, 64), nn.ReLU(), nn.Linear(64, 6))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    scheduler = StepLR(optimizer, step_size=5, gamma=0.1)
    for epoch in range(epochs):
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        scheduler.step()
        if epoch % 2 == 1:
            score = accuracy(model, test_loader)
            print(f"epoch {epoch + 1}  loss {loss.item():.3f}  accuracy {score:.3f}")
    return accuracy(model, test_loader)


if __name__ == "__main__":
    run(seed=0)
