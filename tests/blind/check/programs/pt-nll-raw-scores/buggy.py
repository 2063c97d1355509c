import string

import torch
import torch.nn as nn

LETTERS = string.ascii_lowercase
CATEGORIES = ["vowel-heavy", "consonant-heavy"]


def random_name():
    length = torch.randint(4, 9, (1,)).item()
    return "".join(LETTERS[i] for i in torch.randint(0, 26, (length,)).tolist())


def category(name):
    vowels = sum(ch in "aeiou" for ch in name)
    return 0 if vowels * 3 >= len(name) else 1


def one_hot(name):
    t = torch.zeros(len(name), 1, len(LETTERS))
    for i, ch in enumerate(name):
        t[i, 0, LETTERS.index(ch)] = 1
    return t


class CharRNN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.n_hidden = n_hidden
        self.i2h = nn.Linear(n_in + n_hidden, n_hidden)
        self.h2o = nn.Linear(n_hidden, n_out)

    def step(self, x, h):
        return torch.tanh(self.i2h(torch.cat((x, h), dim=1)))

    def forward(self, seq):
        h = torch.zeros(1, self.n_hidden)
        for x in seq:
            h = self.step(x, h)
        return self.h2o(h)


rnn = CharRNN(len(LETTERS), 32, len(CATEGORIES))
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.01)

running = 0.0
for it in range(1, 301):
    name = random_name()
    target = torch.tensor([category(name)])
    optimizer.zero_grad()
    output = rnn(one_hot(name))
    loss = criterion(output, target)
    loss.backward()
    optimizer.step()
    running += loss.item()
    if it % 100 == 0:
        print(it, running / 100)
        running = 0.0
