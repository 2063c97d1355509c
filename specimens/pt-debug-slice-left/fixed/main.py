import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)


def loans(seed, count):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 30, generator=generator)
    score = x[:, 0] + x[:, 1] - x[:, 2] + 0.8 * x[:, 3] - 0.8 * x[:, 4]
    return x, (score + 0.3 * torch.randn(count, generator=generator) > 0).long()


class LoanDataset(Dataset):
    """Standardised facts about a loan, and whether it was paid back."""

    def __init__(self, features, repaid):
        self.features = features
        self.repaid = repaid

    def __len__(self):
        return len(self.features)

    def __getitem__(self, index):
        return self.features[index], self.repaid[index]


def accuracy(model, features, repaid):
    with torch.no_grad():
        return (model(features).argmax(dim=1) == repaid).float().mean().item()


def run(seed, epochs=20):
    """Accuracy on the rows of the data set, and on new ones."""
    torch.manual_seed(seed)
    dataset = LoanDataset(*loans(seed, 800))
    loader = DataLoader(dataset, batch_size=20, shuffle=True)
    model = nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(epochs):
        for features, repaid in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(features), repaid)
            loss.backward()
            optimizer.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:2d}  loss {loss.item():.4f}")
    seen = accuracy(model, dataset.features, dataset.repaid)
    return seen, accuracy(model, *loans(seed + 5000, 1000))


if __name__ == "__main__":
    seen, new = run(seed=0)
    print(f"accuracy on training rows {seen:.3f}, on new rows {new:.3f}")
