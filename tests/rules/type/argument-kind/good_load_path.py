import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 1)
net.load_state_dict(torch.load('net.pt'))
