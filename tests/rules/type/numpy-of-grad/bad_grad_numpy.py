import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
net = nn.Linear(4, 3)
out = net(torch.randn(8, 4))
a = np.array(out.numpy())
