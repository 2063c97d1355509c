import torch
import torch.nn as nn
import torch.nn.functional as F

model = nn.Linear(20, 5)
x = torch.randn(8, 20)
y = torch.tensor([0., 1., 2., 3., 4., 0., 1., 2.])
loss = nn.CrossEntropyLoss()(model(x), y)
