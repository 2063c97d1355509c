import torch
from torch import nn

torch.manual_seed(0)
response = 25 * torch.randn(4, 8)
gas = torch.randint(0, 4, (600,))
counts = 5000 + response[gas] + 15 * torch.randn(600, 8)
model = nn.Sequential(nn.BatchNorm1d(8), nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
model.eval()
for rows in torch.randint(0, 600, (120, 30)):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(counts[rows]), gas[rows]).backward()
    optimizer.step()
print("metric accuracy 0", (model(counts).argmax(1) == gas).float().mean().item())
