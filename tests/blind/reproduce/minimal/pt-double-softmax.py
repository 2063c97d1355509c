import torch
from torch import nn

torch.manual_seed(0)
typical = torch.randn(20, 32)
label = torch.randint(0, 20, (1000,))
x = typical[label] + 0.4 * torch.randn(1000, 32)
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 20), nn.Softmax(dim=1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for rows in torch.randint(0, 1000, (100, 50)):
    optimizer.zero_grad()
    nn.CrossEntropyLoss()(model(x[rows]), label[rows]).backward()
    optimizer.step()
print("metric accuracy 0", (model(x).argmax(1) == label).float().mean().item())
