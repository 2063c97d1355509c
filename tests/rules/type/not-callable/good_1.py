import torch
import torch.nn as nn
loss_fn = nn.MSELoss()
for i in range(3):
    loss = loss_fn(torch.zeros(4), torch.zeros(4))
