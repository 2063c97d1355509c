import torch
import torch.nn as nn
import torch.nn.functional as F

net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(net, step_size=10)
