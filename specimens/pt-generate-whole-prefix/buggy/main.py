import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

TEXT = "the quick brown fox jumps over the lazy dog and runs away. " * 4
ALPHABET = sorted(set(TEXT))


def encode(text):
    return [ALPHABET.index(c) for c in text]


class CharModel(nn.Module):
    def __init__(self, symbols, dimension=16, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(symbols, dimension)
        self.gru = nn.GRU(dimension, hidden, batch_first=True)
        self.out = nn.Linear(hidden, symbols)

    def forward(self, ids, state=None):
        features, state = self.gru(self.embed(ids), state)
        return self.out(features), state


def train(seed, steps=30):
    torch.manual_seed(seed)
    model = CharModel(len(ALPHABET))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    ids = torch.tensor(encode(TEXT))
    for _ in range(steps):
        starts = torch.randint(0, len(ids) - 33, (8,)).tolist()
        batch = torch.stack([ids[s:s + 33] for s in starts])
        logits, _ = model(batch[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


@torch.no_grad()
def generate(model, prompt, length):
    """The prompt continued by the `length` most likely characters."""
    ids = encode(prompt)
    for _ in range(length):
        logits, _ = model(torch.tensor([ids]))
        ids.append(logits[0, -1].argmax().item())
    return "".join(ALPHABET[i] for i in ids)


if __name__ == "__main__":
    print(generate(train(seed=0), "the ", 100))
