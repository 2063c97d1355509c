import torch
from torch import nn

model = nn.GRU(3, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(100):
    out, _ = model(torch.randn(10, 4, 3))
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(loss, 1.0)
    optimizer.step()
