import torch
from torch import nn


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.b(self.a(x))


model = Both()
opt_a = torch.optim.SGD(model.a.parameters(), lr=0.01)
opt_b = torch.optim.Adam(model.b.parameters())
for x, y in batches:
    model.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    opt_a.step()
    opt_b.step()
