import torch
from torch import nn

model = nn.Linear(10, 2)
optimizer = torch.optim.Adam(model.parameters())
data = [(torch.randn(32, 10), torch.randint(0, 2, (32,))) for _ in range(50)]
for epoch in range(20):
    total = 0.0
    for x, y in data:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        total += loss.item()
    print(epoch, total)
    optimizer.step()
