import torch
from torch import nn

model = nn.Linear(10, 2)
EPOCHS = 12
data = [(torch.randn(32, 10), torch.randint(0, 2, (32,))) for _ in range(50)]
for _ in range(EPOCHS):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for x, y in data:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
