import torch
from torch import nn

model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
for name, p in model.named_parameters():
    if "weight" in name:
        p.data.uniform_(-0.2, 0.2)
loss = nn.functional.mse_loss(model(torch.randn(8, 20)), torch.randn(8, 1))
