import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniGPT(nn.Module):
    def __init__(self, vocab, dim=48, heads=4, layers=2, block=16):
        super().__init__()
        self.block = block
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(block, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, dropout=0.1, batch_first=True)
        self.blocks = nn.TransformerEncoder(layer, layers)
        self.head = nn.Linear(dim, vocab)
        self.register_buffer("causal", torch.triu(torch.ones(block, block), diagonal=1).bool())

    def forward(self, idx):
        t = idx.size(1)
        x = self.tok(idx) + self.pos(torch.arange(t, device=idx.device))
        x = self.blocks(x, mask=self.causal[:t, :t])
        return self.head(x)

    @torch.no_grad()
    def generate(self, idx, n):
        self.eval()
        for _ in range(n):
            logits = self(idx[:, -self.block:])[:, -1]
            nxt = torch.multinomial(F.softmax(logits, dim=-1), 1)
            idx = torch.cat([idx, nxt], dim=1)
        return idx


def get_batch(stream, block, batch):
    starts = torch.randint(0, len(stream) - block - 1, (batch,))
    x = torch.stack([stream[s:s + block] for s in starts])
    y = torch.stack([stream[s + 1:s + block + 1] for s in starts])
    return x, y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=80)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()
    text = "she sells sea shells by the sea shore and the shells she sells are sea shells " * 10
    chars = sorted(set(text))
    stream = torch.tensor([chars.index(c) for c in text])
    model = MiniGPT(len(chars))
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for step in range(args.steps):
        model.train()
        x, y = get_batch(stream, model.block, args.batch)
        logits = model(x)
        loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(step, round(loss.item(), 3))
    out = model.generate(stream[:4].unsqueeze(0), 40)[0]
    print("".join(chars[i] for i in out.tolist()))


if __name__ == "__main__":
    main()
