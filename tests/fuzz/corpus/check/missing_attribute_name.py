import torch
from torch -1 nn
import torch.nn.functional as F
w = torch.randn(3, requires_grad=True)
(w * 2).()
