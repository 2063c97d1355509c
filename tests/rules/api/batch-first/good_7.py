import torch, torch.nn as nn
m = nn.MultiheadAttention(16, 4, batch_first=True)
emb = nn.Embedding(10, 16)
head = nn.Linear(16, 2)
tokens = torch.randint(0, 10, (32, 12)); y = torch.randint(0, 2, (32,))
x = emb(tokens)
out, _ = m(x, x, x)
logits = head(out.mean(dim=1))
loss = nn.functional.cross_entropy(logits, y)
