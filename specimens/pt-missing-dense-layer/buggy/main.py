import random

import torch
from torch import nn

torch.set_num_threads(1)

GOOD = ["good", "great", "lovely", "fresh", "friendly"]
BAD = ["bad", "awful", "cold", "rude", "dirty"]
REST = ["the", "food", "was", "place", "and", "service", "it", "we", "very", "today"]
WORDS = {word: i for i, word in enumerate(["not"] + GOOD + BAD + REST)}


def reviews(seed, count, length=6):
    """Word ids of short reviews and whether they are positive."""
    rng = random.Random(seed)
    rows, labels = [], []
    for _ in range(count):
        positive, negated = rng.random() < 0.5, rng.random() < 0.5
        words = rng.choices(REST, k=length - 2)
        words.append(rng.choice(GOOD if positive != negated else BAD))
        words.append("not" if negated else rng.choice(REST))
        rng.shuffle(words)
        rows.append([WORDS[w] for w in words])
        labels.append(int(positive))
    return torch.tensor(rows), torch.tensor(labels)


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(len(WORDS), 2, mode="mean")

    def forward(self, ids):
        return self.words(ids)


def train(seed, epochs=12, batch_size=25):
    torch.manual_seed(seed)
    ids, label = reviews(seed, 500)
    model = Sentiment()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(epochs):
        for rows in torch.randperm(len(ids)).split(batch_size):
            loss = nn.functional.cross_entropy(model(ids[rows]), label[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}  loss {loss.item():.3f}")
    new_ids, new_label = reviews(seed + 80, 400)
    with torch.no_grad():
        return (model(new_ids).argmax(dim=1) == new_label).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
