import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(24, 24)
        self.outer = nn.Linear(24, 24)
        for layer in (self.inner, self.outer):
            nn.init.normal_(layer.weight, std=0.1)

    def forward(self, x):
        x = self.outer(torch.tanh(self.inner(x)))
        return x + x


torch.manual_seed(0)
x = 2 * torch.rand(600, 2) - 1
colour = (x[:, 0] * x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(2, 24), *[Block() for _ in range(10)], nn.Linear(24, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for rows in torch.randint(0, 600, (120, 60)):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x[rows]), colour[rows]).backward()
    optimizer.step()
print("metric accuracy 0", (model(x).argmax(1) == colour).float().mean().item())
