import torch
from torch import nn
x = torch.linspace(0, 1, 100).unsqueeze(1)
y = 50 * x + 3
model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1), nn.Sigmoid())
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(500):
    loss = nn.MSELoss()(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
