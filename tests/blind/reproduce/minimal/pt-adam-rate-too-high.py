import torch
from torch import nn

torch.manual_seed(0)
typical = torch.randn(5, 40)
label = torch.arange(500) % 5
x = typical[label] + torch.randn(500, 40)
model = nn.Sequential(nn.Linear(40, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=0.5)
for rows in torch.randint(0, 500, (160, 25)):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x[rows]), label[rows]).backward()
    optimizer.step()
print("metric accuracy 0", (model(x).argmax(1) == label).float().mean().item())
