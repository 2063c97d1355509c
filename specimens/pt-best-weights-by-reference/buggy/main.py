import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def make_patients(seed, count):
    """Forty lab values of a patient; only three of them say something about the risk."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 40, generator=generator)
    score = 1.5 * x[:, 0] - x[:, 1] + x[:, 2] + torch.randn(count, generator=generator)
    return x, (score > 0).float()


class RiskNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(40, 64)
        self.out = nn.Linear(64, 1)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x))).squeeze(1)


def validation_loss(model, x, y):
    with torch.no_grad():
        return F.binary_cross_entropy_with_logits(model(x), y).item()


def fit(seed, epochs=120):
    """Train, and go back to the weights with the lowest validation loss."""
    torch.manual_seed(seed)
    x, y = make_patients(seed, 120)
    held = make_patients(seed + 1000, 300)
    model = RiskNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    best_loss, best_weights, best_epoch = float("inf"), None, None
    for epoch in range(epochs):
        optimizer.zero_grad()
        F.binary_cross_entropy_with_logits(model(x), y).backward()
        optimizer.step()
        loss = validation_loss(model, *held)
        if loss < best_loss:
            best_loss, best_epoch = loss, epoch
            best_weights = model.state_dict()
    model.load_state_dict(best_weights)
    print(f"best epoch {best_epoch}  validation loss {best_loss:.4f}")
    return model, best_loss, held


def excess_loss(seed):
    model, best_loss, held = fit(seed)
    return validation_loss(model, *held) - best_loss


if __name__ == "__main__":
    model, _, held = fit(seed=0)
    print(f"loss of the returned model {validation_loss(model, *held):.4f}")
