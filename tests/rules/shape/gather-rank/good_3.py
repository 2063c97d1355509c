import torch
from torch import nn
import torch.nn.functional as F
q = torch.randn(32, 2)
a = torch.randint(0, 2, (32,))
v = q.gather(1, a.unsqueeze(1))
