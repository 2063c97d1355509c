import torch
from torch import nn

torch.set_num_threads(1)


def wines(seed, count):
    """Sugar, acid, alcohol and tannin (standardised); good when sugar fits the acid."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 4, generator=generator)
    imbalance = (x[:, 0] - x[:, 1]).abs() + 0.1 * torch.randn(count, generator=generator)
    return x, (imbalance < 1.0).long()


class Taster(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.first = nn.Linear(4, width)
        self.second = nn.Linear(width, width)
        self.verdict = nn.Linear(width, 2)
        self.relu = nn.ReLU()

    def forward(self, x):
        x = self.relu(self.first(x))
        x = self.relu(self.second(x))
        return self.verdict(x)


def train(seed, epochs=10, batch_size=40):
    torch.manual_seed(seed)
    x, good = wines(seed, 800)
    model = Taster()
    print("weights:", sum(p.numel() for p in model.parameters()))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(batch_size):
            loss = nn.functional.cross_entropy(model(x[rows]), good[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch}  loss {loss.item():.3f}")
    new_x, new_good = wines(seed + 66, 500)
    with torch.no_grad():
        return (model(new_x).argmax(dim=1) == new_good).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
