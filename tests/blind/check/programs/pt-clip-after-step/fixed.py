import torch
import torch.nn as nn


class Counter(nn.Module):
    """RNN that must output the running sum of its inputs."""

    def __init__(self, hidden=32):
        super().__init__()
        self.rnn = nn.RNN(1, hidden, nonlinearity="relu", batch_first=True)
        self.readout = nn.Linear(hidden, 1)
        nn.init.eye_(self.rnn.weight_hh_l0)
        nn.init.zeros_(self.rnn.bias_hh_l0)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.readout(h)


def sample(batch, length):
    x = torch.randint(0, 2, (batch, length, 1)).float()
    return x, x.cumsum(dim=1)


def train_step(model, optimizer, x, y, max_norm):
    model.train()
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item(), float(norm)


@torch.no_grad()
def evaluate(model, length):
    model.eval()
    x, y = sample(64, length)
    return (model(x) - y).abs().mean().item()


def main(iterations=150, length=20, max_norm=1.0):
    model = Counter()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for it in range(iterations):
        x, y = sample(32, length)
        loss, norm = train_step(model, optimizer, x, y, max_norm)
        if it % 50 == 0:
            print(f"it {it:4d} loss {loss:8.3f} grad norm {norm:8.2f} mae {evaluate(model, length):.3f}")


if __name__ == "__main__":
    main()
