import torch
from torch import nn

torch.set_num_threads(1)

SYMBOLS = 4


def make_batch(generator, count, length=7):
    """Sequences of symbols; the task is to name the first one at the end."""
    tokens = torch.randint(0, SYMBOLS, (count, length), generator=generator)
    return tokens, tokens[:, 0]


class Recall(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(SYMBOLS, 16)
        self.cell = nn.GRUCell(16, hidden)
        self.answer = nn.Linear(hidden, SYMBOLS)
        self.hidden = hidden

    def forward(self, tokens):
        state = torch.zeros(len(tokens), self.hidden)
        for t in range(tokens.shape[1]):
            state = self.cell(self.embed(tokens[:, t]), state)
        return self.answer(state)


def train(seed, steps=100, batch_size=50):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = Recall()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    for step in range(steps):
        tokens, first = make_batch(generator, batch_size)
        loss = criterion(model(tokens), first)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 24:
            print(f"step {step + 1:3d}  loss {loss.item():.3f}")
    tokens, first = make_batch(generator, 400)
    with torch.no_grad():
        return (model(tokens).argmax(dim=1) == first).float().mean().item()


if __name__ == "__main__":
    print(f"recalls the first of seven symbols: {train(seed=0):.3f}")
