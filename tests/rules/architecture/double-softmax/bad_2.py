import torch
import torch.nn as nn
import torch.nn.functional as F
x = F.softmax(nn.Linear(2, 3)(torch.zeros(4, 2)), dim=1)
loss = F.cross_entropy(x, torch.zeros(4, dtype=torch.long))
