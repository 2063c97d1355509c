import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        assert dim % heads == 0
        self.heads = heads
        self.head_dim = dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def split(self, t):
        b, n, _ = t.shape
        return t.view(b, n, self.heads, self.head_dim).transpose(1, 2)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = (self.split(t) for t in self.qkv(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        mixed = F.softmax(scores, dim=-1) @ v
        mixed = mixed.transpose(1, 2).reshape(b, n, d)
        return self.proj(mixed)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Tagger(nn.Module):
    def __init__(self, vocab=40, dim=32, heads=4, tags=5, max_len=12):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.zeros(1, max_len, dim))
        self.blocks = nn.ModuleList([Block(dim, heads) for _ in range(2)])
        self.out = nn.Linear(dim, tags)

    def forward(self, ids):
        x = self.tok(ids) + self.pos[:, : ids.size(1)]
        for block in self.blocks:
            x = block(x)
        return self.out(x)


def main():
    ids = torch.randint(0, 40, (200, 12))
    tags = ids % 5
    model = Tagger()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(3):
        for s in range(0, 200, 50):
            logits = model(ids[s:s + 50])
            loss = F.cross_entropy(logits.reshape(-1, 5), tags[s:s + 50].reshape(-1))
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item())


main()
