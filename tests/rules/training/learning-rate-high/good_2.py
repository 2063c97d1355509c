import torch
import torch.nn as nn
opt = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
