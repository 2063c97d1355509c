import torch
from torch import nn

model = nn.Sequential(nn.EmbeddingBag(5000, 32, mode="mean"), nn.ReLU(), nn.Linear(32, 3))
words = torch.randint(0, 5000, (64, 12))
label = torch.randint(0, 3, (64,))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(100):
    loss = nn.functional.cross_entropy(model(words), label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
