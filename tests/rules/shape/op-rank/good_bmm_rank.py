import torch
import torch.nn as nn
import torch.nn.functional as F

q = torch.randn(8, 64)
k = torch.randn(8, 12, 64)
s = torch.bmm(q.unsqueeze(1), k.transpose(1, 2))
