import torch
from torch import nn
import torch.nn.functional as F
y = nn.GLU()(torch.randn(3, 7))
