import torch
from torch import nn
import torch.nn.functional as F
y = F.embedding(torch.ones(4), torch.randn(3, 2))
