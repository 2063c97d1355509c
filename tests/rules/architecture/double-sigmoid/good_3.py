import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 1), nn.Sigmoid())
loss = nn.BCELoss()(net(torch.zeros(4, 2)), torch.zeros(4, 1))
