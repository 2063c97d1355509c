import torch
from torch import nn
import torch.nn.functional as F
y = torch.einsum('bhd,bhd->bh', torch.randn(2, 3, 4), torch.randn(2, 3, 4))
