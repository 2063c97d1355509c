import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence

PAD = 0


class SentenceEncoder(nn.Module):
    def __init__(self, vocab, dim=32, heads=4, layers=2, max_len=32, classes=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.pos = nn.Embedding(max_len, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 64, dropout=0.1, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, layers)
        self.fc = nn.Linear(dim, classes)

    def forward(self, ids):
        pos = torch.arange(ids.size(1), device=ids.device)
        x = self.tok(ids) + self.pos(pos)
        valid = ids != PAD
        h = self.enc(x, src_key_padding_mask=valid)
        w = valid.unsqueeze(-1).float()
        return self.fc((h * w).sum(1) / w.sum(1))


def make_corpus(n, vocab):
    sents, labels = [], []
    for _ in range(n):
        length = int(torch.randint(5, 15, (1,)))
        s = torch.randint(2, vocab, (length,))
        label = int(torch.randint(0, 2, (1,)))
        if label:
            s[int(torch.randint(0, length, (1,)))] = 1
        sents.append(s)
        labels.append(label)
    return sents, torch.tensor(labels)


def batches(sents, labels, size, shuffle):
    order = torch.randperm(len(sents)) if shuffle else torch.arange(len(sents))
    for idx in order.split(size):
        yield pad_sequence([sents[i] for i in idx], batch_first=True, padding_value=PAD), labels[idx]


def main():
    train, test = make_corpus(400, 40), make_corpus(80, 40)
    model = SentenceEncoder(40)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(4):
        model.train()
        for ids, y in batches(*train, 40, True):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(ids), y)
            loss.backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            hits = sum((model(ids).argmax(1) == y).sum().item() for ids, y in batches(*test, 40, False))
        print(epoch, loss.item(), hits / 80)


main()
