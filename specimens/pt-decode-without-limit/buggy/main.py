import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

WORDS = "<start> <end> zero one two three four five six seven eight nine".split()
START, END = 0, 1
LONGEST = 12


class Speller(nn.Module):
    """Reads the digits of a number and says them as words."""

    def __init__(self, hidden=32):
        super().__init__()
        self.digit = nn.Embedding(10, hidden)
        self.word = nn.Embedding(len(WORDS), hidden)
        self.encoder = nn.GRU(hidden, hidden, batch_first=True)
        self.decoder = nn.GRUCell(hidden, hidden)
        self.out = nn.Linear(hidden, len(WORDS))

    def encode(self, digits):
        return self.encoder(self.digit(digits))[1][0]

    def step(self, word, state):
        state = self.decoder(self.word(word), state)
        return self.out(state), state


def train(seed, steps=150):
    """Numbers of exactly three digits."""
    torch.manual_seed(seed)
    model = Speller()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        digits = torch.randint(0, 10, (32, 3))
        words = F.pad(F.pad(digits + 2, (1, 0), value=START), (0, 1), value=END)
        state, loss = model.encode(digits), 0.0
        for t in range(words.shape[1] - 1):
            logits, state = model.step(words[:, t], state)
            loss = loss + F.cross_entropy(logits, words[:, t + 1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


@torch.no_grad()
def spell(model, number):
    state = model.encode(torch.tensor([[int(d) for d in str(number)]]))
    word, said = torch.tensor([START]), []
    while word.item() != END:
        logits, state = model.step(word, state)
        word = logits.argmax(dim=1)
        said.append(WORDS[word.item()])
    return said


if __name__ == "__main__":
    untrained = train(seed=0, steps=0)
    print(spell(train(seed=0), 427))
    print(spell(untrained, 427))
