import torch
from torch import nn

metres = torch.exp(8.0 + 0.5 * torch.randn(500))
grade = torch.randn(500)
features = torch.stack((metres.log() - 8.0, grade), dim=1)
price = torch.randn(500)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1), nn.Flatten(0))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(100):
    rows = torch.randint(0, 500, (32,))
    loss = nn.functional.mse_loss(net(features[rows]), price[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
