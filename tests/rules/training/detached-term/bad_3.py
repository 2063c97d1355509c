import torch
from torch import nn


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(10, 16)
        self.first, self.second = nn.Linear(16, 3), nn.Linear(16, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.first(h), self.second(h).squeeze(1)


net = Both()
optimizer = torch.optim.Adam(net.parameters())
for x, kind, size in loader:
    kinds, sizes = net(x)
    loss = nn.functional.cross_entropy(kinds, kind)
    loss = loss + 0.5 * nn.functional.mse_loss(sizes.detach(), size.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
