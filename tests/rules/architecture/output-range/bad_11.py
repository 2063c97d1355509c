import torch
from torch import nn
x = torch.linspace(0, 1, 100).unsqueeze(1)
y = 20 * x - 5
model = nn.Sequential(nn.Linear(1, 10), nn.ReLU(), nn.Linear(10, 1), nn.Tanh())
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(500):
    loss = torch.mean((model(x) - y) ** 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
