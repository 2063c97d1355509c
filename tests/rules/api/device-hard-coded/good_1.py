import torch
from torch import nn
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
net = nn.Linear(3, 2).to(device)
x = torch.randn(4, 3).to(device)
y = net(x)
