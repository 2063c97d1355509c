import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
loss = nn.CrossEntropyLoss()(net(torch.zeros(4, 2)), torch.zeros(4, dtype=torch.long))
