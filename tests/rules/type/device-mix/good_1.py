import torch
from torch import nn
import torch.nn.functional as F
a = torch.zeros(3, device='cuda')
b = torch.ones(3).cuda()
c = a + b
