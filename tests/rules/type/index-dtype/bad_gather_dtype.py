import torch
import torch.nn as nn
import torch.nn.functional as F

q = torch.randn(32, 4)
a = torch.randint(0, 4, (32, 1)).int()
v = q.gather(1, a)
