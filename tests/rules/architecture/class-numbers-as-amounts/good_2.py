import torch
from torch import nn

names = torch.rand(5, 12)
species = torch.randint(0, 5, (300,))
features = names[species] + 0.2 * torch.randn(300, 12)
model = nn.Linear(12, 5)
criterion = nn.CrossEntropyLoss()
for rows in torch.randperm(300).split(20):
    loss = criterion(model(features[rows]), species[rows])
    loss.backward()
