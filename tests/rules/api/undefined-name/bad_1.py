import torch
from torch import nn
import torch.nn.functional as F
optimizer = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=0.1)
optimizr.step()
