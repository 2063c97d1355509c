import torch
from torch import nn

torch.set_num_threads(1)

PAD = 0


class QualityTagger(nn.Module):
    """Marks each translated word as good or bad; padding must not count."""

    def __init__(self, words=40, dimension=16):
        super().__init__()
        self.embed = nn.Embedding(words, dimension, padding_idx=PAD)
        self.gru = nn.GRU(dimension, dimension, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * dimension, 2)

    def forward(self, tokens):
        return self.out(self.gru(self.embed(tokens))[0])


def tag_loss(logits, tags, tokens):
    """Mean loss over the words that are no padding."""
    padding = tokens == PAD
    keep = 1 - padding
    losses = nn.functional.cross_entropy(logits.transpose(1, 2), tags, reduction="none")
    return (losses * keep).sum() / keep.sum()


def make_batch(count, generator, longest=9):
    """A word is bad when its number and that of the word before differ by less than four."""
    lengths = torch.randint(3, longest + 1, (count, 1), generator=generator)
    tokens = torch.randint(1, 40, (count, longest), generator=generator)
    tokens[torch.arange(longest) >= lengths] = PAD
    before = torch.nn.functional.pad(tokens[:, :-1], (1, 0), value=PAD)
    return tokens, ((tokens - before).abs() < 4).long()


def train(seed, steps=40):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = QualityTagger()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(steps):
        tokens, tags = make_batch(16, generator)
        loss = tag_loss(model(tokens), tags, tokens)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses


if __name__ == "__main__":
    print("last loss", train(seed=0)[1][-1])
