import torch
import torch.nn as nn
import torch.nn.functional as F
x = nn.Linear(4, 3)(torch.zeros(2, 4))
loss = F.nll_loss(x, torch.zeros(2, dtype=torch.long))
