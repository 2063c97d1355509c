import torch
from torch import nn
import torch.nn.functional as F
x = torch.randn(3).item()
