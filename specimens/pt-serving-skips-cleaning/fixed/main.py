import random
import string

import torch
from torch import nn

torch.set_num_threads(1)

TOPICS = [
    "refund money charged twice invoice payment card bank".split(),
    "parcel late delivery courier missing address lost tracking".split(),
]
FILLER = "hello please my the a with is was and thanks".split()


def make_mail(rng, shouting=0.0):
    """Words of one topic among fillers; customers like capitals and exclamation marks."""
    topic = rng.randrange(2)
    words = rng.sample(TOPICS[topic], 3) + rng.sample(FILLER, 4)
    rng.shuffle(words)
    for i, word in enumerate(words):
        if rng.random() < shouting:
            words[i] = rng.choice([word.upper() + "!", word.capitalize() + ",", word + "?!"])
    return " ".join(words), topic


def clean(text):
    return text.lower().translate(str.maketrans("", "", string.punctuation))


class Router(nn.Module):
    def __init__(self, texts):
        super().__init__()
        words = sorted({word for text in texts for word in clean(text).split()})
        self.vocabulary = {word: number for number, word in enumerate(words, start=1)}
        self.embed = nn.EmbeddingBag(len(words) + 1, 12, mode="mean")
        self.out = nn.Linear(12, 2)

    def encode(self, text):
        return torch.tensor([[self.vocabulary.get(word, 0) for word in text.split()]])

    def forward(self, text):
        return self.out(self.embed(self.encode(text)))


def train(seed, count=80, epochs=4):
    torch.manual_seed(seed)
    rng = random.Random(seed)
    mails = [make_mail(rng, shouting=0.3) for _ in range(count)]
    model = Router([text for text, _ in mails])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(epochs):
        for text, topic in mails:
            loss = nn.functional.cross_entropy(model(clean(text)), torch.tensor([topic]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model


@torch.no_grad()
def answer(model, text):
    """The topic of a request, as the service computes it."""
    return int(model(clean(text)).argmax())


def accuracy(seed, count=200):
    model, rng = train(seed), random.Random(1000 + seed)
    mails = [make_mail(rng, shouting=1.0) for _ in range(count)]
    return sum(answer(model, text) == topic for text, topic in mails) / count


if __name__ == "__main__":
    print(f"accuracy of the service {accuracy(seed=0):.3f}")
