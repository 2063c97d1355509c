import torch
from torch import nn

lstm = nn.LSTM(5, 5, 2)
optimizer = torch.optim.Adam(lstm.parameters(), lr=0.01)
loss_fn = nn.MSELoss()
for step in range(300):
    x = torch.rand(1, 8, 5) * 2 - 1
    optimizer.zero_grad()
    out, _ = lstm(x)
    loss = loss_fn(out, x * 2)
    loss.backward()
    optimizer.step()
