import torch
import torch.nn as nn

text = "the quick brown fox jumps over the lazy dog and runs away from the angry bear " * 20
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])


class CharLM(nn.Module):
    def __init__(self, vocab, emb=16, hid=48, layers=1):
        super().__init__()
        self.layers, self.hid = layers, hid
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid, layers, batch_first=True)
        self.out = nn.Linear(hid, vocab)

    def init_state(self, batch):
        shape = (self.layers, batch, self.hid)
        return torch.zeros(shape), torch.zeros(shape)

    def forward(self, x, state):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), state


def batchify(seq, batch):
    n = len(seq) // batch
    return seq[: n * batch].view(batch, n)


def train(model, streams, bptt=20, epochs=2):
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    model.train()
    for epoch in range(epochs):
        state = model.init_state(streams.size(0))
        total, steps = 0.0, 0
        for i in range(0, streams.size(1) - 1, bptt):
            j = min(i + bptt, streams.size(1) - 1)
            x, y = streams[:, i:j], streams[:, i + 1:j + 1]
            logits, state = model(x, state)
            loss = criterion(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item()
            steps += 1
        print(f"epoch {epoch}: {total / steps:.3f}")


if __name__ == "__main__":
    train(CharLM(len(chars)), batchify(data, 8))
