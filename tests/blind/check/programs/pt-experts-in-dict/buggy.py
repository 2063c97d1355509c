import torch
import torch.nn as nn
import torch.nn.functional as F

LANGS = ["de", "fr", "pl"]


class MultiHeadTagger(nn.Module):
    """One shared encoder, one classification head per language."""

    def __init__(self, vocab_size, n_tags, dim=32):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim)
        self.encoder = nn.GRU(dim, dim, batch_first=True)
        self.heads = {lang: nn.Linear(dim, n_tags) for lang in LANGS}

    def forward(self, ids, lang):
        states, _ = self.encoder(self.embed(ids))
        return self.heads[lang](states)


def fake_batches(lang, n_batches=5):
    shift = LANGS.index(lang)
    for _ in range(n_batches):
        ids = torch.randint(0, 50, (16, 9))
        yield ids, (ids + shift) % 4


def train_epoch(model, optimizer):
    model.train()
    sums = {}
    for lang in LANGS:
        losses = []
        for ids, tags in fake_batches(lang):
            optimizer.zero_grad()
            logits = model(ids, lang)
            loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten())
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        sums[lang] = sum(losses) / len(losses)
    return sums


def evaluate(model):
    model.eval()
    scores = {}
    with torch.no_grad():
        for lang in LANGS:
            hit = count = 0
            for ids, tags in fake_batches(lang, 2):
                pred = model(ids, lang).argmax(-1)
                hit += (pred == tags).sum().item()
                count += tags.numel()
            scores[lang] = hit / count
    return scores


if __name__ == "__main__":
    model = MultiHeadTagger(50, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(3):
        print(epoch, train_epoch(model, optimizer), evaluate(model))
