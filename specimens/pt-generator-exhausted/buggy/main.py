import random

import torch
from torch import nn

torch.set_num_threads(1)

TOPICS = {
    "billing": "invoice refund charge card paid amount receipt price".split(),
    "shipping": "parcel courier late address tracking arrived box street".split(),
    "account": "password login email reset locked username profile code".split(),
    "product": "broken screen battery button cable noise colour size".split(),
}
FILLER = "please hello my the i and is not yesterday again thanks we you it was have".split()
WORDS = sorted(set(FILLER).union(*TOPICS.values()))
INDEX = {word: i for i, word in enumerate(WORDS)}


def make_messages(seed, count):
    rng = random.Random(seed)
    names = list(TOPICS)
    messages = []
    for _ in range(count):
        topic = rng.randrange(len(names))
        words = rng.choices(FILLER, k=9) + rng.choices(TOPICS[names[topic]], k=2)
        rng.shuffle(words)
        messages.append((" ".join(words), topic))
    return messages


def bag(text):
    vector = torch.zeros(len(WORDS))
    for word in text.split():
        vector[INDEX[word]] += 1
    return vector


def batches(messages, size):
    for start in range(0, len(messages), size):
        part = messages[start:start + size]
        yield torch.stack([bag(text) for text, _ in part]), torch.tensor([t for _, t in part])


def train(seed, epochs=30):
    torch.manual_seed(seed)
    model = nn.Linear(len(WORDS), len(TOPICS))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    loss_function = nn.CrossEntropyLoss()
    training = batches(make_messages(seed, 200), size=20)
    for epoch in range(epochs):
        for x, topic in training:
            loss = loss_function(model(x), topic)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 6 == 0:
            print(f"epoch {epoch:2d}  loss {loss.item():.4f}")
    hits = 0
    for x, topic in batches(make_messages(seed + 50, 300), size=300):
        hits += (model(x).argmax(dim=1) == topic).sum().item()
    return hits / 300


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
