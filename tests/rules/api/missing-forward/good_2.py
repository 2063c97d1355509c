import torch
from torch import nn
import torch.nn.functional as F
class A(nn.Module):
    def forward(self, x):
        return x
class B(A):
    pass
B()(torch.zeros(2))
