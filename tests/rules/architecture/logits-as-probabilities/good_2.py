import torch
from torch import nn

model = nn.Linear(5, 1)


def probabilities(x):
    return torch.sigmoid(model(x))


print(probabilities(torch.randn(3, 5)) > 0.5)
