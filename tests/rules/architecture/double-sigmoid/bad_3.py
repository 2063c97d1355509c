import torch
import torch.nn as nn
net = nn.Sequential(nn.Linear(2, 1), nn.Sigmoid())
loss = nn.BCEWithLogitsLoss()(net(torch.zeros(4, 2)), torch.zeros(4, 1))
