import torch
import torch.nn as nn
import torch.nn.functional as F

w = torch.tensor([0.1, 0.9])
crit = nn.CrossEntropyLoss(weight=[0.1, 0.9])
loss = crit(torch.randn(3, 2), torch.tensor([0, 1, 1]))
