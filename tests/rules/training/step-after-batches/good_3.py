import torch
from torch import nn

model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.randn(32, 10), torch.randint(0, 2, (32,))) for _ in range(50)]
for epoch in range(20):
    for number, (x, y) in enumerate(data):
        loss = nn.functional.cross_entropy(model(x), y) / 4
        loss.backward()
        if number % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()
