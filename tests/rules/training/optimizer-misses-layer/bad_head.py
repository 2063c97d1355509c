import torch
from torch import nn

body, head = nn.LSTM(1, 32, batch_first=True), nn.Linear(32, 1)
optimizer = torch.optim.Adam(body.parameters(), lr=0.01)
for _ in range(100):
    x = torch.rand(16, 20, 1)
    out, _ = body(x)
    loss = (head(out[:, -1]) - x.sum(1)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
