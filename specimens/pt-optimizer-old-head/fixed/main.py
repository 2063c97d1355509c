import torch
from torch import nn

torch.set_num_threads(1)


def make_sounds(seed, classes, count, noise=0.4):
    """Feature vectors of sounds; each class is a mixture of the same eight sources."""
    source = torch.randn(8, 24, generator=torch.Generator().manual_seed(7))
    generator = torch.Generator().manual_seed(seed)
    recipe = torch.randn(classes, 8, generator=torch.Generator().manual_seed(100 + classes))
    label = torch.randint(0, classes, (count,), generator=generator)
    x = recipe[label] @ source + noise * torch.randn(count, 24, generator=generator)
    return x, label


class SoundNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU())
        self.head = nn.Linear(48, classes)

    def forward(self, x):
        return self.head(self.body(x))


def train(model, optimizer, x, label, epochs):
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(32):
            optimizer.zero_grad()
            loss = criterion(model(x[rows]), label[rows])
            loss.backward()
            optimizer.step()
        print(f"  epoch {epoch}  loss {loss.item():.3f}")


def adapt(seed):
    """Learn ten classes, then reuse the body for four others."""
    torch.manual_seed(seed)
    model = SoundNet(classes=10)
    print("pretraining")
    train(model, torch.optim.Adam(model.parameters(), lr=0.003),
          *make_sounds(seed, 10, 800), epochs=4)

    for parameter in model.body.parameters():
        parameter.requires_grad = False
    model.head = nn.Linear(48, 4)
    optimizer = torch.optim.Adam(model.head.parameters(), lr=0.01)
    print("new task")
    train(model, optimizer, *make_sounds(seed + 1, 4, 200), epochs=6)

    x, label = make_sounds(seed + 2, 4, 400)
    with torch.no_grad():
        return (model(x).argmax(dim=1) == label).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy on the new task {adapt(seed=0):.3f}")
