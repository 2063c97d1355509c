import torch
from torch import nn
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
net = nn.Linear(3, 2).to(device)
for i in range(3):
    y = net(torch.randn(1, 3).to(device))
