import torch
import torch.nn as nn
import torch.nn.functional as F

model = nn.Sequential(nn.Linear(10, 1), nn.Sigmoid())
x = torch.randn(32, 10)
y = torch.randint(0, 2, (32,)).float()
loss = nn.BCELoss()(model(x).squeeze(1), y)
