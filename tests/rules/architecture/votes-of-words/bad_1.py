import torch
from torch import nn

model = nn.EmbeddingBag(5000, 3, mode="mean")
words = torch.randint(0, 5000, (64, 12))
label = torch.randint(0, 3, (64,))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(100):
    loss = nn.functional.cross_entropy(model(words), label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
