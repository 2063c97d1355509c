import torch
import torch.nn as nn
import torch.nn.functional as F

class M(nn.Module):
    def __init__(self, vocab=50, emb=32, hid=64):
        super().__init__()
        self.e = nn.Embedding(vocab, emb)
        self.r = nn.LSTM(emb, hid, batch_first=True)
        self.o = nn.Linear(hid, vocab)
    def forward(self, x):
        h, _ = self.r(self.e(x))
        return self.o(h)
logits = M()(torch.randint(0, 50, (2, 9)))
