import torch
from torch import nn

torch.set_num_threads(1)

# The seven segments of a digital clock for 0..9.
SEGMENTS = torch.tensor([
    [1, 1, 1, 0, 1, 1, 1], [0, 0, 1, 0, 0, 1, 0], [1, 0, 1, 1, 1, 0, 1], [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0], [1, 1, 0, 1, 0, 1, 1], [1, 1, 0, 1, 1, 1, 1], [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1]], dtype=torch.float32)


def clock_readings(seed, count):
    """Brightness of the segments as four noisy photo diodes per segment see it."""
    generator = torch.Generator().manual_seed(seed)
    digit = torch.randint(0, 10, (count,), generator=generator)
    light = SEGMENTS[digit].repeat_interleave(4, dim=1)
    return light + 0.4 * torch.randn(count, 28, generator=generator), digit


class ClockReader(nn.Module):
    def __init__(self, hidden=48, keep_prob=0.9):
        super().__init__()
        self.hidden1 = nn.Linear(28, hidden)
        self.hidden2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 10)
        self.dropout = nn.Dropout(1 - keep_prob)

    def forward(self, x):
        x = self.dropout(torch.relu(self.hidden1(x)))
        x = self.dropout(torch.relu(self.hidden2(x)))
        return self.out(x)


def train(seed, epochs=6, batch_size=32):
    torch.manual_seed(seed)
    x, digit = clock_readings(seed, 1000)
    held_x, held_digit = clock_readings(seed + 40, 400)
    model = ClockReader()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        model.train()
        for rows in torch.randperm(len(x)).split(batch_size):
            loss = nn.functional.cross_entropy(model(x[rows]), digit[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model(held_x).argmax(dim=1) == held_digit).float().mean().item()
        print(f"epoch {epoch}  loss {loss.item():.3f}  held-out accuracy {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    train(seed=0)
