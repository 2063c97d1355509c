import torch
from torch import nn

model = nn.Linear(10, 2)
data = [(torch.randn(32, 10), torch.randint(0, 2, (32,))) for _ in range(50)]
for epoch in range(30):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 / (1 + epoch))
    for x, y in data:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
