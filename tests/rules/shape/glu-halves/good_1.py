import torch
from torch import nn
import torch.nn.functional as F
y = F.glu(torch.randn(2, 6))
