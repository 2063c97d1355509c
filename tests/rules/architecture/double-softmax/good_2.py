import torch
import torch.nn as nn
import torch.nn.functional as F
x = F.log_softmax(nn.Linear(2, 3)(torch.zeros(4, 2)), dim=1)
loss = F.nll_loss(x, torch.zeros(4, dtype=torch.long))
