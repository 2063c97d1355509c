import torch
from torch import nn

model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.randn(32, 10), torch.randint(0, 2, (32,))) for _ in range(50)]
for epoch in range(20):
    for x, y in data:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
    optimizer.step()
