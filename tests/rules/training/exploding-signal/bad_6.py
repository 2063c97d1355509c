import torch
from torch import nn

model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
for p in model.parameters():
    p.data.uniform_(-100, 100)
loss = nn.functional.mse_loss(model(torch.randn(8, 20)), torch.randn(8, 1))
