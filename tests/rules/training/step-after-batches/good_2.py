import torch
from torch import nn

model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.randn(32, 10), torch.randint(0, 2, (32,))) for _ in range(50)]
for epoch in range(20):
    optimizer.zero_grad()
    for x, y in data:  # the gradient of all data
        loss = nn.functional.cross_entropy(model(x), y) / len(data)
        loss.backward()
    optimizer.step()
