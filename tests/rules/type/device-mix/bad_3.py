import torch
from torch import nn
import torch.nn.functional as F
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
net = nn.Conv2d(1, 2, 3).to(device)
y = net(torch.randn(1, 1, 8, 8))
