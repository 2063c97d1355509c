import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)

SPECIES = ["ash", "beech", "birch", "lime", "maple", "oak"]


class Leaves(Dataset):
    """Measured leaves, one species after the other as they were scanned."""

    def __init__(self, seed, per_species):
        generator = torch.Generator().manual_seed(seed)
        typical = torch.randn(len(SPECIES), 10, generator=torch.Generator().manual_seed(11))
        rows, labels = [], []
        for number in range(len(SPECIES)):
            noise = 0.7 * torch.randn(per_species, 10, generator=generator)
            rows.append(typical[number] + noise)
            labels += [number] * per_species
        self.rows = torch.cat(rows)
        self.labels = torch.tensor(labels)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.rows[index], self.labels[index]


def run(seed, epochs=4):
    torch.manual_seed(seed)
    train_set = Leaves(seed, per_species=150)
    test_set = Leaves(seed + 100, per_species=40)
    loader = DataLoader(train_set, batch_size=10)
    model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, len(SPECIES)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}  loss of the last batch {loss.item():.4f}")
    with torch.no_grad():
        guess = model(test_set.rows).argmax(dim=1)
    for number, name in enumerate(SPECIES):
        print(f"{name:6s} predicted {(guess == number).sum().item():3d} times")
    return (guess == test_set.labels).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {run(seed=0):.3f}")
