import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.set_num_threads(1)

PAD, UNKNOWN = 0, 1
NOUNS = "train bus ticket station delay platform coach seat".split()
VERBS = "late cancelled broken wet".split()
KIND = {"timetable": ["late", "cancelled", "delay"], "vehicle": ["broken", "wet", "seat"]}


def build_vocabulary(texts):
    words = sorted({word for text in texts for word in text.split()})
    return {word: number + 2 for number, word in enumerate(words)}


def make_complaints(count, rng):
    texts, labels = [], []
    for _ in range(count):
        label = rng.randrange(2)
        words = rng.sample(NOUNS[:4], 2) + [rng.choice(list(KIND.values())[label])]
        rng.shuffle(words)
        texts.append(" ".join(words + ["please"] * rng.randrange(2)))
        labels.append(label)
    return texts, torch.tensor(labels)


class Router(nn.Module):
    def __init__(self, vocabulary, dimension=12):
        super().__init__()
        self.vocabulary = vocabulary
        self.embed = nn.Embedding(len(vocabulary), dimension, padding_idx=PAD)
        self.out = nn.Linear(dimension, 2)

    def forward(self, texts):
        ids = [torch.tensor([self.vocabulary.get(w, UNKNOWN) for w in t.split()]) for t in texts]
        return self.out(self.embed(pad_sequence(ids, batch_first=True)).mean(dim=1))


def train(seed, steps=60):
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Router(build_vocabulary(make_complaints(300, rng)[0]))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(steps):
        texts, labels = make_complaints(16, rng)
        loss = nn.functional.cross_entropy(model(texts), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


if __name__ == "__main__":
    print(train(seed=0)(["train late please"]))
