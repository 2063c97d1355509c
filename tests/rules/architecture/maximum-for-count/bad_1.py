import torch
from torch import nn

pictures = torch.rand(200, 1, 32, 32)
counts = torch.randint(0, 12, (200,)).float()
model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for rows in torch.randperm(200).split(20):
    loss = nn.functional.mse_loss(model(pictures[rows]).squeeze(1), counts[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
