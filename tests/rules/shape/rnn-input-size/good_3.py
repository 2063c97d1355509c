import torch
from torch import nn
import torch.nn.functional as F
h = nn.GRUCell(7, 12)(torch.randn(3, 7))
