import torch
from torch import nn
import torch.nn.functional as F
h = nn.GRUCell(4, 8)(torch.randn(3, 4), torch.zeros(2, 8))
