import torch
import torch.nn as nn
import torch.nn.functional as F
p = torch.sigmoid(nn.Linear(2, 1)(torch.zeros(4, 2)))
loss = F.binary_cross_entropy(p, torch.zeros(4, 1))
