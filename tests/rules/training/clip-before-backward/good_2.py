import torch
from torch import nn

model = nn.Linear(4, 16)
head = nn.Linear(16, 1)
parameters = [*model.parameters(), *head.parameters()]
optimizer = torch.optim.Adam(parameters, lr=0.001)
for step in range(300):
    loss = head(torch.relu(model(torch.randn(8, 4)))).pow(2).mean() / 4
    loss.backward()
    if step % 4 == 3:
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()
