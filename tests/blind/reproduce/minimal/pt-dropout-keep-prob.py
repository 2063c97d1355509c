import torch
from torch import nn

torch.manual_seed(0)
keep_prob = 0.9
typical = torch.randint(0, 2, (10, 28)).float()
digit = torch.randint(0, 10, (1000,))
x = typical[digit] + 0.4 * torch.randn(1000, 28)
model = nn.Sequential(nn.Linear(28, 48), nn.ReLU(), nn.Dropout(keep_prob),
                      nn.Linear(48, 48), nn.ReLU(), nn.Dropout(keep_prob), nn.Linear(48, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for rows in torch.randint(0, 1000, (190, 32)):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x[rows]), digit[rows]).backward()
    optimizer.step()
model.eval()
print("metric accuracy 0", (model(x).argmax(1) == digit).float().mean().item())
