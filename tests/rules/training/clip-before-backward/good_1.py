import torch
from torch import nn

model = nn.LSTM(4, 16, batch_first=True)
head = nn.Linear(16, 1)
parameters = [*model.parameters(), *head.parameters()]
optimizer = torch.optim.Adam(parameters, lr=0.001)
for step in range(300):
    out, _ = model(torch.randn(8, 20, 4))
    loss = head(out[:, -1]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(parameters, 1.0)
    optimizer.step()
