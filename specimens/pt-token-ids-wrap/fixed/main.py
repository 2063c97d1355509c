import torch
from torch import nn

torch.set_num_threads(1)

COMMON = 240         # words that occur everywhere
PER_TOPIC = 90       # words that occur in one topic only
TOPICS = 4
VOCABULARY = COMMON + PER_TOPIC * TOPICS


def write_notes(seed, count, length=30):
    """Notes as word ids: mostly common words, some of the note's topic."""
    generator = torch.Generator().manual_seed(seed)
    topic = torch.randint(0, TOPICS, (count,), generator=generator)
    common = torch.randint(0, COMMON, (count, length), generator=generator)
    special = torch.randint(0, PER_TOPIC, (count, length), generator=generator)
    special = COMMON + PER_TOPIC * topic.unsqueeze(1) + special
    use_special = torch.rand(count, length, generator=generator) < 0.2
    return torch.where(use_special, special, common), topic


class Corpus:
    """Keeps the ids compactly, one row per note."""

    def __init__(self, ids, topic):
        self.ids = ids.to(torch.int16)
        self.topic = topic

    def batches(self, size):
        for rows in torch.randperm(len(self.ids)).split(size):
            yield self.ids[rows].long(), self.topic[rows]


def train(seed, epochs=10):
    torch.manual_seed(seed)
    corpus = Corpus(*write_notes(seed, 800))
    held = Corpus(*write_notes(seed + 35, 300))
    model = nn.Sequential(nn.EmbeddingBag(VOCABULARY, 16), nn.Linear(16, TOPICS))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(epochs):
        for ids, topic in corpus.batches(40):
            loss = nn.functional.cross_entropy(model(ids), topic)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch}  loss {loss.item():.3f}")
    used = len(corpus.ids.unique())
    print(f"different words in the corpus: {used} of {VOCABULARY}")
    with torch.no_grad():
        hits = sum((model(ids).argmax(dim=1) == topic).sum().item()
                   for ids, topic in held.batches(100))
    return hits / 300


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
