import torch
from torch import nn

head = nn.Linear(64, 1000)
head.out_features = 12
print(head(torch.zeros(1, 64)).shape)
