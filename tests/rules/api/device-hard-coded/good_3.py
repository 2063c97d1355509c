import torch
from torch import nn
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
net = nn.Linear(3, 2).to(device)
if torch.cuda.is_available():
    head = nn.Linear(2, 1).cuda()
