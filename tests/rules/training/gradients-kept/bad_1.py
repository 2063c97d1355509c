import torch
from torch import nn

a, b = nn.Linear(4, 4), nn.Linear(4, 1)
opt_a = torch.optim.Adam(a.parameters())
opt_b = torch.optim.Adam(b.parameters())
for x in batches:
    loss = b(a(x).detach()).mean()
    loss.backward()
    opt_b.step()
    opt_a.zero_grad()
    loss = b(a(x)).mean()
    loss.backward()
    opt_a.step()
