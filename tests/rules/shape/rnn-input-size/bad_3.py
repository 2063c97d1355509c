import torch
from torch import nn
import torch.nn.functional as F
h = nn.GRUCell(6, 12)(torch.randn(3, 7))
