import torch
from torch import nn

coder = nn.Linear(10, 4)
head = nn.Linear(4, 1)
opt = torch.optim.Adam(coder.parameters(), lr=1e-3)
for step in range(100):
    x, y = torch.randn(16, 10), torch.randn(16, 1)
    code = coder(x)
    loss = nn.functional.mse_loss(head(code.detach()), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
