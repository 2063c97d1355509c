import torch
from torch import nn

lstm = nn.LSTM(5, 16, 2)
head = nn.Linear(16, 5)
optimizer = torch.optim.Adam([*lstm.parameters(), *head.parameters()], lr=0.01)
loss_fn = nn.MSELoss()
for step in range(300):
    x = torch.rand(1, 8, 5) * 2 - 1
    optimizer.zero_grad()
    out, _ = lstm(x)
    loss = loss_fn(head(out), x * 2)
    loss.backward()
    optimizer.step()
