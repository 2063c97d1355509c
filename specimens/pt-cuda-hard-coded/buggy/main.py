import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class ShiftNet(nn.Module):
    """By how many pixels is the second row of sensors shifted against the first?"""

    def __init__(self, width=24):
        super().__init__()
        self.conv = nn.Conv1d(2, 16, 7, padding=3)
        self.out = nn.Linear(16 * width, 1)

    def forward(self, pair):
        return self.out(torch.relu(self.conv(pair)).flatten(1)).squeeze(1)


def make_pairs(count, generator, width=24):
    wide = torch.randn(count, width + 6, generator=generator)
    wide = F.avg_pool1d(wide.unsqueeze(1), 5, stride=1, padding=2).squeeze(1)
    shift = torch.randint(-3, 4, (count,), generator=generator)
    index = torch.arange(width) + 3
    first = wide[:, index]
    second = wide.gather(1, index + shift.unsqueeze(1))
    return torch.stack([first, second], dim=1), shift.float()


def train(seed, steps=100):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = ShiftNet().to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    losses = []
    for _ in range(steps):
        pairs, shift = make_pairs(32, generator)
        pairs, shift = pairs.cuda(), shift.cuda()
        loss = F.mse_loss(model(pairs), shift)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


if __name__ == "__main__":
    history = train(seed=0)
    print(f"on {DEVICE}: loss {history[0]:.2f} -> {history[-1]:.2f}")
