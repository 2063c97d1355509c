import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
net = nn.Linear(1, 1)
x = torch.linspace(0, 1, 10).unsqueeze(1)
y = net(x)
vals = np.asarray(y.detach())
