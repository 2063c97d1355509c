import torch
import torch.nn as nn
import torch.nn.functional as F

w = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
