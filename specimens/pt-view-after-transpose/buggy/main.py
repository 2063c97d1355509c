import torch
from torch import nn

torch.set_num_threads(1)


class PoolingAttention(nn.Module):
    """Sums up a set of vectors by several heads with learnt queries."""

    def __init__(self, dimension=24, heads=3, queries=2):
        super().__init__()
        self.heads, self.size = heads, dimension // heads
        self.queries = nn.Parameter(0.3 * torch.randn(queries, heads, self.size))
        self.key = nn.Linear(dimension, dimension)
        self.value = nn.Linear(dimension, dimension)

    def forward(self, x):
        batch, count, dimension = x.shape
        key = self.key(x).view(batch, count, self.heads, self.size)
        value = self.value(x).view(batch, count, self.heads, self.size)
        weight = torch.einsum("qhd,bchd->bhqc", self.queries, key).softmax(dim=-1)
        mixed = weight @ value.transpose(1, 2)
        return mixed.transpose(1, 2).view(batch, -1, dimension)


class SetModel(nn.Module):
    """Sum and maximum of a set of numbers."""

    def __init__(self, dimension=24):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(1, dimension), nn.ReLU())
        self.pool = PoolingAttention(dimension)
        self.out = nn.Linear(2 * dimension, 2)

    def forward(self, numbers):
        return self.out(self.pool(self.embed(numbers.unsqueeze(-1))).flatten(1))


def train(seed, steps=150):
    torch.manual_seed(seed)
    model = SetModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(steps):
        numbers = torch.rand(32, 5)
        wanted = torch.stack([numbers.sum(dim=1), numbers.max(dim=1).values], dim=1)
        loss = nn.functional.mse_loss(model(numbers), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses


if __name__ == "__main__":
    print("last loss", train(seed=0)[1][-1])
