import torch
from torch import nn

centres = torch.randn(8, 2)
kind = torch.randint(0, 8, (400,))
x = centres[kind] + 0.1 * torch.randn(400, 2)
net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
optimizer = torch.optim.Adam(net.parameters())
for step in range(200):
    loss = nn.functional.mse_loss(net(x), x.norm(dim=1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
