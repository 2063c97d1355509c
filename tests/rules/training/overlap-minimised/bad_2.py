import torch
from torch import nn


def overlap(guess, mask):
    inter = (guess * mask).sum()
    union = guess.sum() + mask.sum() - inter
    return (inter + 1e-6) / (union + 1e-6)


model = nn.Sequential(nn.Conv2d(3, 1, 3, padding=1), nn.Sigmoid())
optimizer = torch.optim.Adam(model.parameters())
for _ in range(100):
    picture, mask = torch.rand(4, 3, 32, 32), torch.randint(0, 2, (4, 1, 32, 32)).float()
    loss = overlap(model(picture), mask)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
