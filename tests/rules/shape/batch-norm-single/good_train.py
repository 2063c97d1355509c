import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(10, 100), nn.BatchNorm1d(100), nn.Linear(100, 2))
model.train()
out = model(torch.zeros(2, 10))
model.eval()
out = model(torch.zeros(1, 10))
