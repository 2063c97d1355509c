import torch
from torch import nn

torch.set_num_threads(1)

GOOD = "good great fine lovely superb".split()
BAD = "bad awful poor boring dreadful".split()
FILLER = "the film was a plot and with acting very it".split()
VOCABULARY = {word: i for i, word in enumerate(GOOD + BAD + FILLER)}


def make_reviews(count, generator):
    """Token ids of short reviews; label 1 if the one judging word is good."""
    labels = torch.randint(0, 2, (count,), generator=generator)
    tokens = torch.randint(10, len(VOCABULARY), (count, 6), generator=generator)
    judging = torch.randint(0, 5, (count,), generator=generator) + 5 * (1 - labels)
    place = torch.randint(0, 6, (count,), generator=generator)
    tokens[torch.arange(count), place] = judging
    return tokens, labels


class Classifier(nn.Module):
    def __init__(self, vocabulary, dimension=16, classes=2):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocabulary, dimension, mode="mean")
        self.out = nn.Linear(dimension, classes)

    def forward(self, tokens):
        return self.out(self.embed(tokens))


def train(seed, epochs=5, batches=30):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = Classifier(len(VOCABULARY))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    history = []
    for epoch in range(epochs):
        running = 0.0
        for _ in range(batches):
            tokens, labels = make_reviews(16, generator)
            optimizer.zero_grad()
            loss = criterion(model(tokens), labels)
            loss.backward()
            optimizer.step()
            running += loss.data[0]
        history.append(running / batches)
        print("epoch %d loss %.3f" % (epoch, history[-1]))
    return model, history


if __name__ == "__main__":
    train(seed=0)
