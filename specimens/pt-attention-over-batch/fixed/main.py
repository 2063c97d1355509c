import torch
from torch import nn

torch.set_num_threads(1)

WORDS = 60
ALARM = torch.tensor([3, 17, 41])


def messages(seed, count, length=12):
    """Word ids; a message is urgent when it has at least one alarm word."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, WORDS, (count, length), generator=generator)
    ids[torch.isin(ids, ALARM)] = 0
    urgent = torch.rand(count, generator=generator) < 0.5
    place = torch.randint(0, length, (count,), generator=generator)
    word = ALARM[torch.randint(0, len(ALARM), (count,), generator=generator)]
    ids[urgent, place[urgent]] = word[urgent]
    return ids, urgent.float()


class Attention(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embed = nn.Embedding(WORDS, width)
        self.score = nn.Linear(width, 1)
        self.out = nn.Linear(width, 1)

    def forward(self, ids):
        vectors = self.embed(ids)                       # (batch, words, width)
        scores = self.score(vectors).squeeze(2)         # (batch, words)
        weights = torch.softmax(scores, dim=1)
        pooled = (weights.unsqueeze(2) * vectors).sum(dim=1)
        return self.out(pooled).squeeze(1)


def train(seed, epochs=6):
    torch.manual_seed(seed)
    ids, urgent = messages(seed, 600)
    model = Attention()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(epochs):
        for rows in torch.randperm(len(ids)).split(30):
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(model(ids[rows]), urgent[rows])
            loss.backward()
            optimizer.step()
    return model


def answers(model, ids):
    """Probability that each message is urgent: all at once, and one at a time."""
    with torch.no_grad():
        together = torch.sigmoid(model(ids))
        alone = torch.cat([torch.sigmoid(model(row.unsqueeze(0))) for row in ids])
    return together, alone


def difference(seed):
    together, alone = answers(train(seed), messages(seed + 12, 100)[0])
    return (together - alone).abs().max().item()


if __name__ == "__main__":
    ids, urgent = messages(12, 100)
    together, alone = answers(train(seed=0), ids)
    for i in range(4):
        print(f"urgent {int(urgent[i])}  in a batch {together[i]:.3f}  alone {alone[i]:.3f}")
    for name, p in (("in a batch", together), ("alone", alone)):
        print(f"right {name}: {((p > 0.5) == urgent.bool()).sum().item()} of 100")
