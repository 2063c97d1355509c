import math

import torch
from torch import nn

torch.set_num_threads(1)

PAD = 0


class SelfAttention(nn.Module):
    def __init__(self, dimension=32, heads=4):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(dimension, 3 * dimension)
        self.out = nn.Linear(dimension, dimension)

    def split(self, x):
        batch, tokens, dimension = x.shape
        return x.view(batch, tokens, self.heads, dimension // self.heads).transpose(1, 2)

    def forward(self, x, padding):
        q, k, v = (self.split(part) for part in self.project(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(padding[:, None, None, :], float("-inf"))
        mixed = torch.softmax(scores, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).flatten(2))


class SentenceEncoder(nn.Module):
    def __init__(self, vocabulary=50, dimension=32):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dimension, padding_idx=PAD)
        self.attention = SelfAttention(dimension)
        self.norm = nn.LayerNorm(dimension)

    def forward(self, tokens):
        padding = tokens == PAD
        x = self.embed(tokens)
        x = self.norm(x + self.attention(x, padding))
        kept = (~padding).unsqueeze(-1)
        return (x * kept).sum(dim=1) / kept.sum(dim=1)


def pad(sentences):
    longest = max(len(s) for s in sentences)
    return torch.tensor([s + [PAD] * (longest - len(s)) for s in sentences])


SENTENCES = [[5, 9, 2], [7, 7, 31, 4, 12, 6, 40, 3, 8, 1], [44, 2], [10, 11, 12, 13],
             [21, 5, 9, 9, 30], [17]]

if __name__ == "__main__":
    torch.manual_seed(0)
    encoder = SentenceEncoder()
    print(encoder(pad(SENTENCES)).shape)
