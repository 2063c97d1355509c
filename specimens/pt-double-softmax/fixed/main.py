import torch
from torch import nn

torch.set_num_threads(1)

CLASSES = 20


def make_data(seed, count=1000):
    """Twenty noisy prototypes in 32 dimensions."""
    generator = torch.Generator().manual_seed(seed)
    prototypes = torch.randn(CLASSES, 32, generator=generator)
    labels = torch.randint(0, CLASSES, (count,), generator=generator)
    x = prototypes[labels] + 0.4 * torch.randn(count, 32, generator=generator)
    return x, labels


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(32, 64)
        self.out = nn.Linear(64, CLASSES)

    def forward(self, x):
        x = torch.relu(self.hidden(x))
        return self.out(x)


def train(seed, epochs=6, batch_size=50):
    torch.manual_seed(seed)
    x, labels = make_data(seed)
    fit, held = slice(0, 800), slice(800, 1000)
    model = Net()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for rows in torch.randperm(800).split(batch_size):
            loss = criterion(model(x[rows]), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            guess = model(x[held]).argmax(dim=1)
            accuracy = (guess == labels[held]).float().mean().item()
        print(f"epoch {epoch}  loss {loss.item():.3f}  accuracy {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    train(seed=0)
