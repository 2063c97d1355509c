import torch
from torch import nn

model = nn.Linear(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(100):
    out = torch.tensor(model(torch.randn(8, 6)).tolist())
    loss = nn.functional.cross_entropy(out, torch.randint(0, 3, (8,)))
    loss.requires_grad = True
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
