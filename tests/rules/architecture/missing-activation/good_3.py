import torch
import torch.nn as nn
import torch.nn.functional as F
x = torch.zeros(2, 4)
y = nn.Linear(8, 1)(torch.relu(nn.Linear(4, 8)(x)))
loss = F.mse_loss(y, torch.zeros(2, 1))
