import torch
import torch.nn as nn
loss = nn.MSELoss()
for i in range(3):
    loss = loss(torch.zeros(4), torch.zeros(4))
