import torch
from torch import nn

data = [(torch.randn(32, 10), torch.randint(0, 2, (32,))) for _ in range(50)]
for seed in range(5):
    torch.manual_seed(seed)
    model = nn.Linear(10, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    for x, y in data:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
