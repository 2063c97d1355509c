import torch
from torch import nn
import torch.nn.functional as F
def width(x):
    return x.shape[3]
width(torch.randn(2, 3, 4))
