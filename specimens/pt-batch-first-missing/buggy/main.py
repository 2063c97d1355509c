import torch
from torch import nn

torch.set_num_threads(1)

GESTURES = ("up-down", "down-up", "shake", "still")


def make_windows(seed, count=300, steps=12):
    """Accelerometer windows of shape (count, steps, 3) and the gesture of each."""
    generator = torch.Generator().manual_seed(seed)
    gesture = torch.randint(0, len(GESTURES), (count,), generator=generator)
    x = 0.3 * torch.randn(count, steps, 3, generator=generator)
    move = torch.zeros(len(GESTURES), steps, 3)
    move[0, 1:4, 2], move[0, 4:7, 2] = 1.0, -1.0
    move[1, 1:4, 2], move[1, 4:7, 2] = -1.0, 1.0
    move[2, 1:9:2, 0], move[2, 2:9:2, 0] = 1.0, -1.0
    x = x + move[gesture]
    return x, gesture


class GestureNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.lstm = nn.LSTM(input_size=3, hidden_size=hidden)
        self.head = nn.Linear(hidden, len(GESTURES))

    def forward(self, windows):
        out, _ = self.lstm(windows)
        return self.head(out[:, -1])


def train(seed, epochs=10, batch_size=30):
    torch.manual_seed(seed)
    x, gesture = make_windows(seed)
    model = GestureNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(x)).split(batch_size):
            optimizer.zero_grad()
            loss = criterion(model(x[rows]), gesture[rows])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        if epoch % 3 == 0:
            print(f"epoch {epoch}  loss {total / len(x):.4f}")
    return model


@torch.no_grad()
def evaluate(model, x, gesture):
    return (model(x).argmax(dim=1) == gesture).float().mean().item()


def score(seed):
    return evaluate(train(seed), *make_windows(seed + 500))


if __name__ == "__main__":
    print(f"accuracy on new windows {score(seed=0):.3f}")
