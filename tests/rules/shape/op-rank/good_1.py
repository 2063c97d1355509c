import torch
from torch import nn
import torch.nn.functional as F
y = torch.dot(torch.randn(2), torch.randn(2))
