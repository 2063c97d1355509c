import math

import torch
from torch import nn

torch.set_num_threads(1)


def make_sequences(seed, count, length=8):
    """Does the opening bracket (1) come before the closing one (2) among other symbols?"""
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randint(3, 8, (count, length), generator=generator)
    places = torch.rand(count, length, generator=generator).argsort(dim=1)[:, :2]
    rows = torch.arange(count)
    tokens[rows, places[:, 0]] = 1
    tokens[rows, places[:, 1]] = 2
    return tokens, (places[:, 0] < places[:, 1]).long()


class PositionalEncoding(nn.Module):
    def __init__(self, width, longest=500):
        super().__init__()
        position = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2) * (-math.log(100.0) / width))
        table = torch.zeros(longest, 1, width)
        table[:, 0, 0::2] = torch.sin(position * rate)
        table[:, 0, 1::2] = torch.cos(position * rate)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[:x.size(0)]


class OrderModel(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embedding = nn.Embedding(8, width)
        self.position = PositionalEncoding(width)
        self.encoder = nn.TransformerEncoderLayer(width, nhead=2, dim_feedforward=32,
                                                  dropout=0.0, batch_first=True)
        self.head = nn.Linear(width, 2)

    def forward(self, tokens):
        x = self.encoder(self.position(self.embedding(tokens)))
        return self.head(x.mean(dim=1))


def train(seed, steps=80, batch_size=40):
    torch.manual_seed(seed)
    model = OrderModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.006)
    for step in range(steps):
        tokens, label = make_sequences(1000 * seed + step, batch_size)
        loss = nn.functional.cross_entropy(model(tokens), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 19:
            print(f"step {step + 1:2d}  loss {loss.item():.3f}")
    tokens, label = make_sequences(999_999 - seed, 400)
    with torch.no_grad():
        return (model(tokens).argmax(dim=1) == label).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
