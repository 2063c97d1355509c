import torch
from torch import nn
import torch.nn.functional as F
y = torch.einsum('ij,jk->ik', torch.randn(2, 3), torch.randn(3, 5))
