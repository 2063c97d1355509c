import torch
from torch import nn

torch.manual_seed(0)
x = 2 * torch.rand(512, 2) - 1
y = 1 + x.sum(dim=1, keepdim=True)
model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
for rows in torch.randint(0, 512, (80, 32)):
    loss = nn.functional.mse_loss(model(x[rows]), y[rows])
    loss.backward()
    optimizer.step()
print("metric loss 0", loss.item())
