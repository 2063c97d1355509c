import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 4)
pred = net(torch.randn(5, 3)).argmax(dim=1).float()
y = torch.randint(0, 4, (5,)).float()
loss = F.mse_loss(pred, y)
loss.backward()
