import torch, torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
pairs = [(torch.randint(1, 9, (n,)), torch.randint(1, 9, (n,))) for n in range(2, 20)]
def collate_fn(batch):
    src = pad_sequence([s for s, _ in batch], batch_first=True, padding_value=0)
    trg = pad_sequence([t for _, t in batch], batch_first=True, padding_value=0)
    return src, trg
loader = DataLoader(pairs, batch_size=4, collate_fn=collate_fn, shuffle=True)
emb, out = nn.Embedding(9, 16), nn.Linear(16, 9)
criterion = nn.CrossEntropyLoss()
for src, trg in loader:
    logits = out(emb(src))
    loss = criterion(logits.permute(0, 2, 1), trg)
    loss.backward()
