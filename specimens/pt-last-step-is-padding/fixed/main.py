import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.set_num_threads(1)

PAGES = ["(pad)", "home", "search", "product", "basket", "payment", "help"]


def visits(seed, count):
    """Pages of visits of 3 to 30 steps; the label is the kind of the last page."""
    rng = random.Random(seed)
    sequences, labels = [], []
    for _ in range(count):
        pages = [rng.randint(1, 6) for _ in range(rng.choice([3, 4, 5, 6, 30]))]
        sequences.append(torch.tensor(pages))
        labels.append((pages[-1] - 1) // 2)
    return sequences, torch.tensor(labels)


def collate(sequences):
    lengths = torch.tensor([len(s) for s in sequences])
    return pad_sequence(sequences, batch_first=True), lengths


class VisitNet(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.embed = nn.Embedding(len(PAGES), width)
        self.rnn = nn.RNN(width, width, batch_first=True)
        self.out = nn.Linear(width, 3)

    def forward(self, pages, lengths):
        states, _ = self.rnn(self.embed(pages))
        return self.out(states[torch.arange(len(pages)), lengths - 1])


def train(seed, epochs=5, batch_size=40):
    torch.manual_seed(seed)
    sequences, label = visits(seed, 400)
    model = VisitNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for rows in torch.randperm(len(sequences)).split(batch_size):
            pages, lengths = collate([sequences[i] for i in rows])
            loss = nn.functional.cross_entropy(model(pages, lengths), label[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}  loss {loss.item():.3f}")
    sequences, label = visits(seed + 28, 300)
    with torch.no_grad():
        guess = model(*collate(sequences)).argmax(dim=1)
    right = (guess == label).float()
    long = torch.tensor([len(s) == 30 for s in sequences])
    print(f"long visits {right[long].mean():.3f}, short visits {right[~long].mean():.3f}")
    return right.mean().item()


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
